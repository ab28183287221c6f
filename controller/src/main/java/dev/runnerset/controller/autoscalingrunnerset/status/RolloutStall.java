package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rollout that stands because its runners do not start: what the EphemeralRunnerSet says of
 * those, as long as the history says that the rollout is under way. Later it is a matter of places
 * only.
 */
public final class RolloutStall {
  private RolloutStall() {}

  /** Why it stands, and what to change; null when it does not. */
  public static @Nullable String of(AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    if (ers == null || ers.getStatus() == null || isComplete(set, ers)) {
      return null;
    }
    var counted = ers.getStatus().rollout();
    if (counted == null || !counted.revision().equals(ers.getSpec().revision())) {
      return null; // written with the counts: it tells of a former revision
    }
    return standing(ers.getStatus().conditions(), ConditionType.RUNNERS_PENDING)
        .map(c ->
            "the rollout stands: "
                + StatusConditions.message(c)
                + "; or put the former spec.template back")
        .orElse(null);
  }

  private static boolean isComplete(AutoScalingRunnerSet set, EphemeralRunnerSet ers) {
    return set.statusOrNone().history().stream()
        .findFirst()
        .filter(newest -> newest.revision().equals(ers.getSpec().revision()))
        .filter(newest -> newest.state() == HistoryEntry.State.COMPLETED)
        .isPresent();
  }

  /**
   * The message of the condition when it has just turned True: to be told once.
   *
   * @param set with the conditions before the write
   * @param written the conditions that were written
   */
  public static Optional<String> turned(AutoScalingRunnerSet set, List<Condition> written) {
    var type = ConditionType.ROLLOUT_STALLED;
    return standing(set.statusOrNone().conditions(), type).isPresent()
        ? Optional.empty()
        : standing(written, type).map(StatusConditions::message);
  }

  /** The condition of that type, if it is True. */
  private static Optional<Condition> standing(List<Condition> conditions, ConditionType type) {
    return StatusConditions.find(conditions, type).filter(c -> StatusConditions.has(c, Value.TRUE));
  }
}
