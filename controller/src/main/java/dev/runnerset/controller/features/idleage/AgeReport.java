package dev.runnerset.controller.features.idleage;

import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a runner set says of age collection: it repeats what its EphemeralRunnerSet did. */
public record AgeReport(AgeCollection rules) {
  private static CollectionState state(@Nullable EphemeralRunnerSet ers) {
    return ers == null ? CollectionState.NONE : CollectionState.of(ers.statusOrNone());
  }

  /** Repeats its counts. */
  void fill(RunnerSetFacts facts, AutoScalingRunnerSetStatusBuilder status) {
    if (!facts.isBeingDeleted()) {
      var ers = facts.ephemeralRunnerSet();
      status
          .releasedIdle(ers == null ? null : ers.statusOrNone().releasedIdle())
          .idleCollections(ers == null ? null : ers.statusOrNone().idleCollections());
    }
  }

  /** Its conditions, in their order in the status. */
  List<ConditionRule<RunnerSetFacts>> conditions() {
    return List.of(
        new ConditionRule<>(ConditionType.RUNNER_GC_REFUSED, this::refused),
        new ConditionRule<>(ConditionType.RUNNER_GC_FAILING, AgeReport::failing),
        new ConditionRule<>(ConditionType.RUNNER_GC_THRASHING, AgeReport::thrashing));
  }

  /** Whether the set's own maximum idle age is invalid: then no runner is removed for its age. */
  private Optional<Verdict> refused(RunnerSetFacts facts) {
    return rules.limit(facts.set()) instanceof AgeLimit.Refused(var reason, var message)
        ? Optional.of(Verdict.yes(reason, message))
        : Optional.empty();
  }

  /** Whether the last sweep for idle runners could not remove what it should. */
  private static Optional<Verdict> failing(RunnerSetFacts facts) {
    return Optional.ofNullable(state(facts.ephemeralRunnerSet()).failing())
        .map(words -> Verdict.yes(RunnerSetReason.SWEEP_FAILED, words));
  }

  /** Whether warm runners are removed for their age again and again without a job in between. */
  private static Optional<Verdict> thrashing(RunnerSetFacts facts) {
    int minRunners = facts.set().minRunnersNow();
    return Optional.ofNullable(state(facts.ephemeralRunnerSet()).thrashing(minRunners))
        .map(words -> Verdict.yes(RunnerSetReason.NO_JOBS_BETWEEN, words));
  }
}
