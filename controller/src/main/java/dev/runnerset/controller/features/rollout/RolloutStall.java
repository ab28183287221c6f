package dev.runnerset.controller.features.rollout;

import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rollout that makes no progress because its runners do not start. The pass over the
 * EphemeralRunnerSet reports such runners; they stall the rollout only until the history calls it
 * completed. The first runners of a set are no rollout: there is no former template.
 */
public final class RolloutStall {
  /** Whether the rollout makes no progress because runners of the new revision do not start. */
  public static final ConditionRule<RunnerSetFacts> CONDITION =
      new ConditionRule<>(
          ConditionType.ROLLOUT_STALLED,
          facts ->
              of(facts.status().history(), facts.ephemeralRunnerSet(), facts.runners())
                  .map(stalled -> Verdict.yes(RunnerSetReason.RUNNERS_PENDING, stalled)));

  private RolloutStall() {}

  /** Why the rollout is stalled, and what to change; empty if it is not. */
  static Optional<String> of(
      List<HistoryEntry> history, @Nullable EphemeralRunnerSet ers, RunnersReport runners) {
    if (ers == null || history.size() < 2 || isComplete(history, ers)) {
      return Optional.empty();
    }
    var counted = ers.statusOrNone().rollout();
    if (counted == null || !counted.revision().equals(ers.getSpec().revision())) {
      return Optional.empty(); // the report is as old as the counts: of a former revision
    }
    return runners
        .of(ConditionType.RUNNERS_PENDING)
        .flatMap(pending ->
            Optional.ofNullable(pending.limits())
                .map(limit ->
                    "the rollout is stalled: " + pending.message() + formerTemplate(limit)));
  }

  /** The former template helps where this one may be wrong; a full cluster is full for both. */
  private static String formerTemplate(LimitedBy limit) {
    return switch (limit) {
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
