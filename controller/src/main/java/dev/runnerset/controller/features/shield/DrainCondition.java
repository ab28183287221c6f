package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The condition that reports runners without a known job on a node that is to be left: the service
 * did not let them go, or was not asked yet, and their shield holds the drain (SD10). It is present
 * only while it is True, and its message has no ages.
 */
@Pure
public final class DrainCondition {
  /** It is True while runners hold a drain. */
  public static final ConditionRule<SetMoment> RULE =
      new ConditionRule<>(ConditionType.DRAIN_HELD, DrainCondition::of);

  private static final int MOST_NAMES = 10;

  private static final Group HELD =
      Group.at((r, now) ->
          r.mustLeaveNode(now)
              && r.ready()
              && r.isWithoutJob()
              && !r.removal().askedToGo()
              && now.hasReached(reportedAt(r)));

  private DrainCondition() {}

  static Optional<Verdict> of(SetMoment moment) {
    var set = moment.set();
    if (set.getSpec().protection() == Protection.NONE || !moment.hasAny(HELD)) {
      return Optional.empty();
    }
    var byNode = new TreeMap<String, List<String>>();
    moment
        .in(HELD)
        .forEach(runner -> {
          byNode.computeIfAbsent(node(runner), key -> new ArrayList<>()).add(runner.name());
        });
    return Optional.of(
        Verdict.yes(EphemeralRunnerSetReason.IDLE_NOT_REMOVED, message(set, byNode)));
  }

  private static Instant reportedAt(RunnerView runner) {
    var leaveFrom = Objects.requireNonNull(runner.node().leaveFrom());
    var waiting = runner.waitingSince();
    return (leaveFrom.isAfter(waiting) ? leaveFrom : waiting)
        .plus(ShieldTimes.DRAIN_REPORTED_AFTER);
  }

  private static String node(RunnerView runner) {
    return runner.node().taint() == null
        ? "cordoned node " + runner.resource().statusOrNone().nodeName()
        : "node " + JobsAtRiskCondition.place(runner);
  }

  private static String message(EphemeralRunnerSet set, TreeMap<String, List<String>> byNode) {
    var node = byNode.firstEntry();
    var names = node.getValue().stream().limit(MOST_NAMES).collect(Collectors.joining(" "));
    int more = node.getValue().size() - MOST_NAMES;
    int nodes = byNode.size() - 1;
    return ("runners on the %s have no known job, and the service has not released"
            + " them: %s%s%s; a drain waits for them. They are removed when the service agrees, or"
            + " when a job ends; to end them with any job that they run: %s")
        .formatted(
            node.getKey(),
            names,
            more > 0 ? " and " + more + " more" : "",
            nodes > 0 ? ", and runners on " + nodes + " more such nodes" : "",
            ForcedDeletion.commandFor(set.getMetadata().getNamespace(), names));
  }
}
