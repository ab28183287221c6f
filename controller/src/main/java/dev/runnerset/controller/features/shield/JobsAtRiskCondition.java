package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The condition that reports jobs on nodes that a taint says are about to go (SD10). A plain cordon
 * is no risk: its drain waits. The condition is present only while it is True, and its message has
 * no ages.
 */
@Pure
final class JobsAtRiskCondition {
  /** It is True while a job is on such a node. */
  static final ConditionRule<SetMoment> RULE =
      new ConditionRule<>(ConditionType.JOBS_AT_RISK, JobsAtRiskCondition::of);

  private static final int MOST_NODES = 5;

  /** A runner that tolerates the taint is not to leave, and its job is at risk all the same. */
  private static final Group AT_RISK =
      Group.at((r, now) -> r.isRunningJob() && now.hasReached(r.node().endsFrom()));

  private JobsAtRiskCondition() {}

  static Optional<Verdict> of(SetMoment moment) {
    if (!moment.hasAny(AT_RISK)) {
      return Optional.empty();
    }
    var jobsByNode =
        moment
            .in(AT_RISK)
            .collect(
                Collectors.groupingBy(
                    JobsAtRiskCondition::place, TreeMap::new, Collectors.counting()));
    return Optional.of(Verdict.yes(EphemeralRunnerSetReason.NODE_LEAVES, message(jobsByNode)));
  }

  /** The node of a runner and its taint. */
  static String place(RunnerView runner) {
    return runner.resource().statusOrNone().nodeName() + " (taint " + runner.node().taint() + ")";
  }

  private static String message(TreeMap<String, Long> jobsByNode) {
    long jobs = jobsByNode.values().stream().mapToLong(Long::longValue).sum();
    int more = jobsByNode.size() - MOST_NODES;
    return ("%s on nodes that are about to go: %s%s; a job is lost if its node goes first:"
            + " docs/operate/drain.md says for each taint who waits for jobs, and what to set so"
            + " that jobs have the time that they need")
        .formatted(
            jobs == 1 ? "1 job runs" : jobs + " jobs run",
            jobsByNode.entrySet().stream()
                .limit(MOST_NODES)
                .map(e -> e.getValue() + " on " + e.getKey())
                .collect(Collectors.joining(", ")),
            more > 0 ? ", and others on " + more + " more nodes" : "");
  }
}
