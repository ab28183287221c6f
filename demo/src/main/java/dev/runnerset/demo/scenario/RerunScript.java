package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.RerunView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A node dies with 20 jobs of four runs, one job of a run in which another failed by itself, and
 * one of a run that a person then cancels; the controller is killed in between. Five runs run
 * again, once each, and end well (RR1 to RR6).
 */
final class RerunScript {
  private static final String REPOSITORY = "my-org/app";
  private static final Duration LENGTH = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * A run that is not over is read each 30 s; the reading and the call themselves take a moment.
   */
  private static final int LONGEST_WAIT_MS = 33_000;

  private final World world;
  private final Progress progress;
  private final Found found;

  RerunScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
  }

  Found run(int jobsOfRun) {
    int most = 4 * jobsOfRun + 3;
    world.start();
    world.prepare();
    world.makeSet(
        World.SET,
        world.configUrl("my-org"),
        "minRunners: 0, maxRunners: " + most + ", rerun: {lostJobs: true}",
        World.CONTAINER);
    world.awaitReady(0);
    world.cordon(world.nodes().getFirst(), true);
    progress.step("4 runs of " + jobsOfRun + " jobs, and two runs of which one job is lost");
    var lost = LongStream.range(0, 4).map(_ -> queue(jobs(jobsOfRun))).boxed().toList();
    long mixed =
        queue(jobs(1), JobRequest.of(1, World.SET, Duration.ofSeconds(1)).withResult("failed"));
    long cancelled = queue(jobs(1));
    world.settle(PATIENCE, () -> world.service().jobCounts().completed() == 1);
    world.awaitBusy(most - 1);
    world.cordon(world.nodes().getFirst(), false);
    progress.step("the node of all these jobs dies");
    world.loseNode(world.nodes().getLast());
    world.settle(PATIENCE, () -> world.status().lostJobs().size() == most - 1);
    progress.step("a person cancels one run, and the controller is killed");
    boolean wasCancelled = world.service().runs().cancel(cancelled);
    world.controller().kill();
    world.pass(Duration.ofSeconds(2));
    world.controller().start();
    progress.step("GitHub misses the runners, and the runs end");
    world.settle(PATIENCE, () -> world.reruns().size() >= 5);
    world.awaitJobsDone(PATIENCE);
    world.settle(PATIENCE, () -> world.status().lostJobs().isEmpty());
    world.awaitNoRunners(Duration.ofSeconds(90));
    return report(lost, mixed, wasCancelled, cancelled);
  }

  private Found report(List<Long> lost, long mixed, boolean wasCancelled, long cancelled) {
    var reruns = world.reruns();
    var calls = world.service().counters();
    var again = reruns.stream().map(RerunView::run).collect(Collectors.toSet());
    long succeeded = lost.stream().filter(run -> "success".equals(conclusion(run))).count();
    boolean left = wasCancelled && !again.contains(cancelled);
    return found
        .equal(
            "failedJobsAgain",
            "one-call-for-each-lost-run",
            4,
            calls.getOrDefault("rerunFailedJobs", 0L))
        .equal(
            "jobAgain",
            "one-call-for-the-job-beside-a-failure",
            1,
            calls.getOrDefault("rerunJob", 0L))
        .equal("twice", "no-run-runs-again-twice", reruns.size(), again.size())
        .isTrue(
            "others", "the-job-that-failed-by-itself-does-not-run-again", isAlone(reruns, mixed))
        .isTrue("cancelled", "the-cancelled-run-does-not-run-again", left)
        .equal("succeeded", "each-lost-run-succeeds-in-the-end", 4, succeeded)
        .atMost("callMs", "from-the-end-of-a-run-to-the-call-ms", LONGEST_WAIT_MS, waited(reruns));
  }

  private long queue(JobRequest... jobs) {
    return world.service().runs().queue(REPOSITORY, List.of(jobs));
  }

  private static JobRequest jobs(int count) {
    return JobRequest.of(count, World.SET, LENGTH);
  }

  private String conclusion(long run) {
    return Objects.requireNonNullElse(
        world.service().runs().get(run).latest().conclusion(), "none");
  }

  private static boolean isAlone(List<RerunView> reruns, long run) {
    return reruns.stream()
        .filter(rerun -> rerun.run() == run)
        .allMatch(rerun -> rerun.jobs().size() == 1 && rerun.jobs().getFirst().lost());
  }

  /** The longest time from the end of a run to its rerun, in milliseconds. */
  private long waited(List<RerunView> reruns) {
    return reruns.stream()
        .mapToLong(rerun -> Duration.between(end(rerun), rerun.at()).toMillis())
        .max()
        .orElse(0);
  }

  private Instant end(RerunView rerun) {
    return world.service().jobs().stream()
        .filter(job -> job.run() == rerun.run() && job.runAttempt() == rerun.attempt() - 1)
        .flatMap(job -> Stream.ofNullable(job.completed()))
        .max(Instant::compareTo)
        .orElse(rerun.at());
  }
}
