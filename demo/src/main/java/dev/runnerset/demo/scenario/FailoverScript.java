package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import java.time.Duration;
import java.time.Instant;

/**
 * The nodes of a set that cannot grow are full (DM15): one of its runners tries, and the jobs that
 * come go to a set with the same label. When there is room again, they come back.
 */
final class FailoverScript {
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final World world;
  private final Progress progress;
  private final Found found;
  private final TwoSets sets;

  FailoverScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
    sets = new TwoSets(world);
  }

  Found run(int jobs, int places) {
    var nodes = new NodePlaces(places, pod -> !pod.startsWith(TwoSets.SPARE));
    world.node().faults(nodes::of);
    world.start();
    world.prepare();
    progress.step("a set whose nodes have " + places + " places, and cannot grow");
    sets.makeFirst("maxRunners: 50, capacity: {nodes: Fixed}");
    sets.awaitCapacity(World.SET, 50);
    sets.submit(places + 1, LONG);
    world.awaitBusy(places);
    progress.step("one runner waits for a node");
    sets.awaitCapacity(World.SET, places + 1);
    sets.makeSpare("maxRunners: 50");
    sets.awaitCapacity(TwoSets.SPARE, 50);
    long made = sets.jitConfigs();
    progress.step(jobs + " jobs that both sets may run");
    var begun = world.now();
    sets.submit(jobs, SHORT);
    world.settle(() -> sets.assigned(TwoSets.SPARE) > 0);
    found
        .equal("atFull", "no-job-more-where-the-nodes-are-full", places + 1, assigned())
        .atMost("moveMs", "the-others-go-to-the-other-set-within-ms", 5000, since(begun))
        .isTrue("named", "the-status-names-the-nodes", namesTheNodes());
    world.await(
        "the others are done",
        PATIENCE,
        () -> world.service().jobCounts().completed() == jobs,
        world::readyMessage);
    found.equal("jits", "one-jit-config-a-job", jobs, sets.jitConfigs() - made);
    progress.step("the nodes get room for 20 pods more");
    nodes.grow(20);
    world.awaitBusy(places + 1);
    world.settle(Duration.ofSeconds(60), () -> sets.capacity(World.SET) > places + 1);
    sets.submit(jobs, SHORT);
    world.settle(() -> assigned() > places + 1);
    found.atLeast("back", "jobs-come-back", places + 2, assigned());
    world.await(
        "these are done, too",
        PATIENCE,
        () -> world.service().jobCounts().completed() == 2 * jobs,
        world::readyMessage);
    world.endJobs();
    world.awaitJobsDone(PATIENCE);
    world.awaitNoRunners(Duration.ofSeconds(60));
    sets.deleteSpare();
    return found;
  }

  private boolean namesTheNodes() {
    var capacity = world.status().capacity();
    return capacity != null
        && capacity.limits().stream().anyMatch(limit -> "Unschedulable".equals(limit.reason()));
  }

  private int assigned() {
    return sets.assigned(World.SET);
  }

  private long since(Instant begun) {
    return Duration.between(begun, world.now()).toMillis();
  }
}
