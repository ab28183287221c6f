package dev.runnerset.controller.features.shield;

import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.hooks.Follower;
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
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges which pods of a set need no shield (SH1), for the reconcilers of their runners. */
public final class Shields implements Follower {
  private static final Slot<Map<String, Instant>> NOT_IDLE_AT = new Slot<>(Map.of());

  /** Empty before the first pass. */
  private static final Slot<Optional<Protection>> PROTECTION = new Slot<>(Optional.empty());

  private final RunnerVerdicts verdicts;
  private final Function<SetKey, Optional<Condition>> listenerReady;

  /**
   * The judge of all sets.
   *
   * @param listenerReady what a runner set says of its listener; empty if nothing yet
   */
  public Shields(RunnerVerdicts verdicts, Function<SetKey, Optional<Condition>> listenerReady) {
    this.verdicts = verdicts;
    this.listenerReady = listenerReady;
  }

  @Override
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
    var listener = listenerReady.apply(SetKey.of(moment.set()));
    boolean ready = listener.filter(c -> StatusConditions.has(c, Value.TRUE)).isPresent();
    if (listener.isEmpty() || (ready && !moment.counted())) {
      return;
    }
    var since = ready ? Timestamps.parse(listener.get().getLastTransitionTime()) : null;
    var slots = moment.slots();
    var runners = moment.runners().all().toList();
    var idle = IdleShield.of(runners, slots.get(NOT_IDLE_AT), since, moment.now());
    var _ = slots.change(NOT_IDLE_AT, before -> idle.notIdleAt());
    var byUid = runners.stream().collect(Collectors.toMap(RunnerView::uid, RunnerView::resource));
    verdicts.judgeOpen(moment.set(), byUid, idle.open());
  }
}
