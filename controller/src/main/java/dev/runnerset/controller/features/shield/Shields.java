package dev.runnerset.controller.features.shield;

import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges which pods of a set need no shield (SH1), for the reconcilers of their runners.
 *
 * @param listenerReady what a runner set says of its listener; empty if nothing yet
 */
public record Shields(
    RunnerVerdicts verdicts, Function<SetKey, Optional<Condition>> listenerReady) {
  /** Empty while nothing is judged. */
  private static final Slot<Optional<IdleShield>> SHIELD = new Slot<>(Optional.empty());

  /** Empty before the first pass. */
  private static final Slot<Optional<Protection>> PROTECTION = new Slot<>(Optional.empty());

  /** Judges the runners of the set, and has those labelled whose shield changes. */
  public void follow(SetMoment moment) {
    if (isChanged(moment.slots(), moment.set().getSpec().protection())) {
      // their pods get other labels
      verdicts.wake(moment.runners().all().map(RunnerView::resource).toList());
    }
    judge(moment);
  }

  /** Whether the last pass had another protection; false at the first. */
  static boolean isChanged(Slots slots, @Nullable Protection protection) {
    var now = Objects.requireNonNullElse(protection, Protection.BUSY);
    var before = slots.get(PROTECTION);
    var _ = slots.change(PROTECTION, same -> Optional.of(now));
    return before.filter(same -> same != now).isPresent();
  }

  /** Nothing is judged from what is not known. */
  private void judge(SetMoment moment) {
    var runners = moment.runners();
    var before = moment.slots().get(SHIELD);
    var listener = listenerReady.apply(SetKey.of(moment.set()));
    boolean ready = listener.filter(c -> StatusConditions.has(c, Value.TRUE)).isPresent();
    boolean isKnown = listener.isPresent() && (!ready || moment.counted());
    var since = ready ? Timestamps.parse(listener.get().getLastTransitionTime()) : null;
    var same = before.filter(one -> isKnown && Objects.equals(one.listeningSince(), since));
    var shield = isKnown ? same.or(() -> Optional.of(IdleShield.of(since))) : same;
    if (same.isEmpty()) {
      before.ifPresent(one -> runners.drop(one.open()));
      var _ = moment.slots().change(SHIELD, one -> shield);
    }
    if (shield.isPresent()) {
      var open = shield.get().open();
      var _ = moment.count(open);
      var changed = runners.changes().stream().flatMap(c -> Stream.ofNullable(c.after()));
      (same.isEmpty() ? runners.all() : changed)
          .forEach(r -> verdicts.judgeOpen(r.resource(), runners.isIn(open, r)));
    }
  }
}
