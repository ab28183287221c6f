package dev.runnerset.controller.features.references;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.StatusField;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.timing.Pause;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.RolloutCounts;
import dev.runnerset.crds.condition.ConditionType;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an EphemeralRunnerSet says of its runners (RF1, RF5). A long list is sent whole, so it is
 * sent less often than the rest of the status (docs/adr/0011).
 */
public record RunnerChildren(EmbeddedStatus embedded)
    implements StatusField<SetMoment, EphemeralRunnerSetStatusBuilder> {
  private static final int CHILDREN_A_SECOND = 250;
  private static final Slot<Written> WRITTEN =
      new Slot<>(new Written(Instant.EPOCH, Optional.empty()));

  /** Tells how many runners the lists leave out that stand in the status. */
  public static final ConditionRule<SetMoment> TRUNCATED =
      new ConditionRule<>(
          ConditionType.CHILD_REFERENCES_TRUNCATED,
          moment -> moment.slots().get(WRITTEN).truncated());

  /** The lists that were written last. */
  private record Written(Instant notBefore, Optional<Verdict> truncated) {}

  @Override
  public void fill(SetMoment moment, EphemeralRunnerSetStatusBuilder status) {
    var runners = moment.runners().all().map(RunnerView::resource).toList();
    var lists = ChildLists.of(runners, embedded);
    var before = moment.set().statusOrNone();
    var now = moment.now().instant();
    var notBefore = moment.slots().get(WRITTEN).notBefore();
    boolean same = lists.standIn(before);
    if (!same
        && !endsRollout(before.rollout(), status.build().rollout())
        && Pause.isOn(notBefore, pause(ChildReferences.MOST), now)) {
      moment.now().note(RequeueTime.at(notBefore));
      return;
    }
    lists.fill(status);
    var next = same ? notBefore : now.plus(pause(runners.size()));
    var _ = moment.slots().change(WRITTEN, was -> new Written(next, lists.truncated()));
  }

  /**
   * Whether this patch is the first to say that no older runner is left: then the list that shows
   * it must go with it (RF11).
   */
  private static boolean endsRollout(@Nullable RolloutCounts before, @Nullable RolloutCounts now) {
    return now != null
        && now.older() == 0
        && (before == null || before.older() > 0 || !before.revision().equals(now.revision()));
  }

  /** The pause between two writes of that many children. */
  private static Duration pause(int children) {
    return Duration.ofSeconds(1 + Math.min(children, ChildReferences.MOST) / CHILDREN_A_SECOND);
  }
}
