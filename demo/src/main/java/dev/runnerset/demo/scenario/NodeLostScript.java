package dev.runnerset.demo.scenario;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.util.List;

/**
 * One of two nodes dies under running jobs: each of them is reported with its node and its run, the
 * jobs on the other node end well, and the set goes on (RN18).
 */
final class NodeLostScript {
  private static final Duration LENGTH = Duration.ofSeconds(40);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final World world;
  private final Progress progress;
  private final Found found;

  NodeLostScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
  }

  Found run(int jobs) {
    world.begin(0, jobs);
    progress.step(jobs + " jobs on two nodes");
    world.submit(jobs, LENGTH);
    world.awaitBusy(jobs);
    var node = world.nodes().getFirst();
    var doomed = on(node);
    progress.step("the node " + node + " dies with " + doomed.size() + " running jobs");
    world.loseNode(node);
    world.settle(PATIENCE, () -> reported(doomed).size() == doomed.size());
    var events = reported(doomed);
    world.awaitJobsDone(PATIENCE);
    progress.step("three more jobs: the set goes on with one node");
    world.submit(3, Duration.ofSeconds(2));
    world.awaitJobsDone(PATIENCE);
    boolean ready = StatusConditions.isTrue(world.status().conditions(), ConditionType.READY);
    world.awaitNoRunners(Duration.ofSeconds(90));
    return found
        .equal("lostWithNode", "each-lost-job-is-reported-once", doomed.size(), events.size())
        .equal(
            "lostOfService",
            "no-other-job-is-lost",
            doomed.size(),
            world.service().jobCounts().lost())
        .isTrue(
            "nodeNamed",
            "each-report-names-the-node-and-the-run",
            events.stream().allMatch(m -> m.contains("on node " + node) && m.contains("/runs/")))
        .equal("rerun", "nothing-runs-again-without-spec-rerun", 0, world.reruns().size())
        .isTrue("readyAfter", "the-set-stays-ready", ready);
  }

  private List<EphemeralRunner> on(String node) {
    return world.runners().stream()
        .filter(runner -> node.equals(runner.statusOrNone().nodeName()))
        .toList();
  }

  /** Their reports, on the runners; each is also on the set. */
  private List<String> reported(List<EphemeralRunner> doomed) {
    var names = doomed.stream().map(runner -> runner.getMetadata().getName()).toList();
    return world.events("JobLost").stream()
        .filter(event -> names.contains(event.getInvolvedObject().getName()))
        .map(Event::getMessage)
        .toList();
  }
}
