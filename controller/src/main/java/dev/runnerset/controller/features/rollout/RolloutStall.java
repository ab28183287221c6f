package dev.runnerset.controller.features.rollout;

import dev.runnerset.controller.autoscalingrunnerset.status.RunnerHindrance;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rollout that makes no progress because its runners do not start. The EphemeralRunnerSet tells
 * of such runners; they stall the rollout only until the history calls it completed. The first
 * runners of a set are no rollout: there is no former template.
 */
public final class RolloutStall {
  /** Whether the rollout makes no progress because runners of the new revision do not start. */
  public static final ConditionRule<RunnerSetFacts> CONDITION =
      new ConditionRule<>(
          ConditionType.ROLLOUT_STALLED,
          facts ->
              Optional.ofNullable(of(facts.status().history(), facts.ephemeralRunnerSet()))
                  .map(stalled -> Verdict.yes(RunnerSetReason.RUNNERS_PENDING, stalled)));

  private RolloutStall() {}

  /** Why the rollout is stalled, and what to change; null if it is not. */
  static @Nullable String of(List<HistoryEntry> history, @Nullable EphemeralRunnerSet ers) {
    if (ers == null || history.size() < 2 || isComplete(history, ers)) {
      return null;
    }
    var counted = ers.statusOrNone().rollout();
    if (counted == null || !counted.revision().equals(ers.getSpec().revision())) {
      return null; // the condition is as old as the counts: of a former revision
    }
    return StatusConditions.find(
            ers.statusOrNone().conditions(), ConditionType.RUNNERS_PENDING, Value.TRUE)
        .filter(c -> !StatusConditions.has(c, EphemeralRunnerSetReason.START_SLOW))
        .map(c -> "the rollout is stalled: " + StatusConditions.message(c) + formerTemplate(c))
        .orElse(null);
  }

  /** The former template helps where this one may be wrong; a full cluster is full for both. */
  private static String formerTemplate(Condition pending) {
    return switch (new RunnerHindrance(pending).limit()) {
      case QUOTA, UNSCHEDULABLE -> "";
      default -> "; or put the former spec.template back";
    };
  }

  private static boolean isComplete(List<HistoryEntry> history, EphemeralRunnerSet ers) {
    return history.stream()
        .findFirst()
        .filter(newest -> newest.revision().equals(ers.getSpec().revision()))
        .filter(newest -> newest.state() == HistoryEntry.State.COMPLETED)
        .isPresent();
  }
}
