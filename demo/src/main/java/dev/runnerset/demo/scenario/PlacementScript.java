package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import java.time.Duration;

/**
 * A set alone on nodes that cannot grow (DM15). The runner that tries does not start within its
 * deadline: its JIT config is spent for nothing, and no other one is in its window, however many
 * jobs wait. When places come, all jobs run. {@link FailoverScript} shows where jobs go meanwhile.
 */
final class PlacementScript {
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** In which each runner without a place fails twice; the window is longer (DM15). */
  private static final Duration WATCHED = Duration.ofSeconds(20);

  private final World world;
  private final Progress progress;
  private final Found found;
  private final TwoSets sets;

  PlacementScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
    sets = new TwoSets(world);
  }

  Found run(int jobs, int places) {
    var nodes = new NodePlaces(places, pod -> true);
    world.node().faults(nodes::of);
    world.start();
    world.prepare();
    progress.step("a set whose nodes have " + places + " places, and cannot grow");
    sets.makeFirst(
        "maxRunners: %d, capacity: {nodes: Fixed}, deadlines: {scheduling: 8s}"
            .formatted(2 * jobs));
    sets.awaitCapacity(World.SET, 2 * jobs);
    sets.submit(places + 1, LONG);
    world.awaitBusy(places);
    progress.step("one runner waits for a node");
    world.settle(() -> sets.capacity(World.SET) == places + 1);
    progress.step("the other " + (jobs - places - 1) + " jobs of " + jobs + " come");
    sets.submit(jobs - places - 1, SHORT);
    world.settle(() -> sets.isLimitedBy("Unschedulable", "has no place for runner"));
    found
        .isTrue(
            "named",
            "the-condition-names-the-nodes",
            sets.isLimitedBy("Unschedulable", "has no place for runner"))
        .equal("number", "one-more-than-has-a-place", places + 1, sets.capacity(World.SET));
    world.pass(WATCHED);
    found
        .equal("spent", "jit-configs-spent-for-nothing", 1, sets.jitConfigs() - world.busy())
        .equal("taken", "jobs-taken-beyond-the-places", 1, sets.assigned(World.SET) - places);
    progress.step("the nodes get room for all, and a job ends");
    nodes.grow(jobs);
    var begun = world.now();
    world.endOneJob();
    world.await(
        "all that came later are done",
        PATIENCE,
        () -> world.service().jobCounts().completed() >= jobs - places,
        world::readyMessage);
    found
        .atMost(
            "allMs", "all-run-within-ms", 30_000, Duration.between(begun, world.now()).toMillis())
        .equal("jits", "jit-configs-in-all", jobs + 1, sets.jitConfigs());
    world.endJobs();
    world.awaitJobsDone(PATIENCE);
    world.awaitNoRunners(Duration.ofSeconds(60));
    return found;
  }
}
