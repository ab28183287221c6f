package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.JobView;
import java.time.Duration;
import java.util.Objects;

/**
 * Two sets with one secret, and a service that makes few JIT configs a second: one set bursts, and
 * the single job of the other does not wait behind it (CN3).
 */
final class SharedCredentialScript {
  private static final String OTHER = "other";
  private static final int A_SECOND = 5;
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final World world;
  private final Progress progress;
  private final Found found;

  SharedCredentialScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
  }

  Found run(int jobs, int runners) {
    world.begin(0, runners);
    world.makeSet(OTHER, 0, 2);
    world.awaitListening(OTHER);
    var usual = world.service().faults();
    world.service().faults(usual.withJitConfigsPerSecond(A_SECOND, 0));
    progress.step("one job of the set '" + OTHER + "', while nothing else happens");
    var alone = waitOfOneJob();
    progress.step(
        jobs
            + " jobs of the set '"
            + World.SET
            + "'; the service makes "
            + A_SECOND
            + " JIT configs a second");
    world.submit(jobs, SHORT);
    world.await(
        "a third of its runners is registered",
        PATIENCE,
        () -> made() > jobs / 3,
        world::readyMessage);
    progress.step("one more job of the set '" + OTHER + "'");
    var beside = waitOfOneJob();
    found
        .note("waitAloneMs", alone.toMillis())
        .note("waitBesideBurstMs", beside.toMillis())
        .atMost(
            "longerMs", "other-set-waits-at-most-ms-longer", 1000, beside.minus(alone).toMillis());
    world.awaitJobsDone(PATIENCE);
    found.atMost(
        "answers429",
        "answers-of-429",
        10,
        world.service().counters().getOrDefault("generatejitconfig.fault", 0L));
    world.service().faults(usual);
    world.awaitNoRunners(Duration.ofSeconds(60));
    world.deleteSet(OTHER);
    return found;
  }

  private long made() {
    return world.service().counters().getOrDefault("generatejitconfig", 0L);
  }

  /** From the queue to its start. */
  private Duration waitOfOneJob() {
    var id = world.service().submit(JobRequest.of(1, OTHER, SHORT)).getFirst();
    world.await(
        "the job of the set " + OTHER + " starts",
        PATIENCE,
        () -> job(id).started() != null,
        world::readyMessage);
    var job = job(id);
    return Duration.between(
        Objects.requireNonNull(job.queued()), Objects.requireNonNull(job.started()));
  }

  private JobView job(java.util.UUID id) {
    return world.service().jobs().stream()
        .filter(job -> job.id().equals(id))
        .findFirst()
        .orElseThrow();
  }
}
