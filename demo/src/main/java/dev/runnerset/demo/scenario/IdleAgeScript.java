package dev.runnerset.demo.scenario;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Warm runners go for their age: for that of their set, for the operator's after the controller was
 * killed, and for none where the set says never.
 */
final class IdleAgeScript {
  private static final int WARM = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Long enough for the successor of one that went before, and for several sweeps after it. */
  private static final Duration QUIET = Duration.ofSeconds(8);

  private final World world;
  private final DemoOptions options;
  private final Progress progress;
  private final Found found;
  private long leastIdle = WARM;
  private long idleBefore = WARM;
  private long refills;
  private long leastReplicas = Long.MAX_VALUE;

  IdleAgeScript(World world, DemoOptions options, Progress progress, Found found) {
    this.world = world;
    this.options = options;
    this.progress = progress;
    this.found = found;
  }

  /**
   * A runner that was removed at the service.
   *
   * @param age how long its container ran before
   */
  private record Removal(Instant at, Duration age) {}

  /**
   * What was counted.
   *
   * @param removedBeforeTheEnd removals that succeeded at the service, before the set was deleted
   * @param collectedForAge by the controller, before it was killed and after
   */
  private record Collected(
      long removedBeforeTheEnd, long collectedForAge, long collectedForCapacity) {}

  Found run() {
    int jobs = options.jobsOr(3);
    world.begin(WARM, options.runnersOr(20));
    progress.step(WARM + " warm runners, the oldest annotated; the set's own age is 4 s");
    ownAge("\"4s\"");
    var annotated = annotateOldest();
    sample(SOON, () -> !removals().isEmpty());
    var first = removals().stream().findFirst();
    boolean reportedByConfigz =
        world.probe().page("/configz").contains("\"runner-maximum-gc-age\" : \"16s\"");

    progress.step("the operator's age of 16 s counts, and the controller is killed");
    ownAge("null");
    // the successor's pod starts while the controller is away, so no removal waits for it
    sample(SOON, () -> world.node().timings().size() > WARM);
    long collectedBefore = settled(0).collectedForAge();
    int removedBefore = removals().size();
    world.controller().kill();
    var restarted = world.now();
    world.controller().start();
    sample(SOON, () -> removals().size() > removedBefore);
    var afterRestart = removals().stream().skip(removedBefore).findFirst();

    progress.step("the set says never");
    ownAge("\"0s\"");
    world.pass(Duration.ofMillis(500)); // a sweep may be under way
    int beforeQuiet = removals().size();
    sample(QUIET, () -> false);
    long whileNever = removals().size() - beforeQuiet;
    boolean annotatedStays =
        world.runners().stream().anyMatch(r -> r.getMetadata().getName().equals(annotated));

    progress.step(jobs + " jobs of 10 s, and the operator's age again");
    world.submit(jobs, Duration.ofSeconds(10));
    world.awaitBusy(jobs);
    // later than the marks: no sweep asks for a runner with a job
    world.settle(() -> busyByMark() == jobs);
    ownAge("null");
    world.awaitJobsDone(PATIENCE);
    world.awaitIdle(WARM);
    var counts = settled(collectedBefore);
    long firstMs = millis(first.map(Removal::age));
    return found
        .atLeast("leastIdle", "pool-never-empty", 1, leastIdle)
        .atLeast("poolFilledAgain", "replaced", 1, refills)
        .equal("leastReplicas", "target-not-lowered", 4, leastReplicas)
        // a container starts 4 s after its runner is made: counted from there, it would go at once
        .atLeast("firstMs", "an-age-counts-from-idle-ms", 4_000, firstMs)
        .atMost("firstMs", "a-set-has-an-age-of-its-own-ms", 15_999, firstMs)
        .atLeast(
            "afterRestartMs",
            "the-age-of-the-operator-counts-ms",
            16_000,
            millis(afterRestart.map(Removal::age)))
        // an age that starts over is over 16 s after the start, or later
        .atMost(
            "sinceRestartMs",
            "an-age-outlives-a-restart-ms",
            15_999,
            millis(afterRestart.map(removal -> Duration.between(restarted, removal.at()))))
        .equal("whileNever", "a-set-may-say-never", 0, whileNever)
        .isTrue("annotatedStays", "retain-holds-an-idle-one", annotatedStays)
        .equal(
            "removedBeforeTheEnd",
            "each-removal-was-for-age",
            counts.collectedForAge(),
            counts.removedBeforeTheEnd())
        .atLeast("collectedForAge", "collected-for-age", 2, counts.collectedForAge())
        .equal("collectedForCapacity", "none-for-capacity", 0, counts.collectedForCapacity())
        .isTrue("reportedByConfigz", "reported-by-configz", reportedByConfigz);
  }

  private long busyByMark() {
    return world.runners().stream().filter(runner -> runner.statusOrNone().isBusy()).count();
  }

  private void ownAge(String value) {
    world.spec("{\"garbageCollection\": {\"maximumIdleAge\": " + value + "}}");
  }

  /** The one that would be the first to go; its name. */
  private String annotateOldest() {
    world.settle(() -> world.runners().stream().allMatch(r -> idleSince(r) != Instant.MAX));
    var oldest =
        world.runners().stream()
            .min(Comparator.comparing(IdleAgeScript::idleSince))
            .map(r -> r.getMetadata().getName())
            .orElse("");
    world.mergeRunner(
        oldest, "{\"metadata\": {\"annotations\": {\"%s\": \"true\"}}}".formatted(Labels.RETAIN));
    return oldest;
  }

  private static Instant idleSince(EphemeralRunner runner) {
    return Objects.requireNonNullElse(runner.statusOrNone().idleSince(), Instant.MAX);
  }

  /** Waits for that, and looks at the pool meanwhile. */
  private void sample(Duration atMost, BooleanSupplier done) {
    world.settle(
        atMost,
        () -> {
          long idle = world.idle();
          refills += idleBefore < WARM && idle == WARM ? 1 : 0;
          idleBefore = idle;
          leastIdle = Math.min(leastIdle, idle);
          leastReplicas = Math.min(leastReplicas, world.replicas());
          return done.getAsBoolean();
        });
  }

  /** What was removed at the service, in that order. */
  private List<Removal> removals() {
    var askedByName = world.service().removeRequests();
    var removals = new ArrayList<Removal>();
    for (var pod : world.node().timings()) {
      var asked = askedByName.get(pod.name());
      if (asked != null && pod.running() != null) {
        removals.add(
            new Removal(asked.getLast(), Duration.between(pod.running(), asked.getLast())));
      }
    }
    removals.sort(Comparator.comparing(Removal::at));
    return removals;
  }

  /** Waits until what the service removed is counted; sweeps go on meanwhile. */
  private Collected settled(long collectedBefore) {
    var counts = new Collected[1];
    world.settle(() -> {
      var calls = world.service().counters();
      counts[0] =
          new Collected(
              calls.getOrDefault("removeRunner", 0L)
                  - calls.getOrDefault("removeRunner.useless", 0L),
              collectedBefore + collected("age"),
              collected("capacity"));
      return counts[0].removedBeforeTheEnd() == counts[0].collectedForAge();
    });
    return counts[0];
  }

  private long collected(String reason) {
    return world
        .probe()
        .value("runnerset_runners_garbage_collected_total", "reason=\"" + reason + "\"");
  }

  private static long millis(Optional<Duration> time) {
    return time.map(Duration::toMillis).orElse(-1L);
  }
}
