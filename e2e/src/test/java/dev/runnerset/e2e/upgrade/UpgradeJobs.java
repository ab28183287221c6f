package dev.runnerset.e2e.upgrade;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.demo.progress.Times;
import dev.runnerset.demo.world.FinishedRunners;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Bars;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.JobView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that come while one program follows another, and what service and objects tell of them: some
 * jobs begin before and end afterwards, some come only when both programs of the pair work.
 */
final class UpgradeJobs {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(9);
  private static final int EACH = 4;

  /** More than the jobs of a change, so that each version deletes what the other one finished. */
  private static final int KEPT = 24;

  private static final long LONGEST_WAIT_MS = 30_000;
  private static final double CAPACITY_SECONDS = 10;

  /** Jobs that come one after another during each change. */
  private static final int STREAM = 8;

  private final World world;
  private final WrittenFields fields;
  private final FinishedRunners finished;
  private final SoftAssertions softly;
  private int submitted;

  /** For a set that exists later. */
  UpgradeJobs(World world, WrittenFields fields, SoftAssertions softly) {
    this.world = world;
    this.fields = fields;
    this.softly = softly;
    finished = new FinishedRunners(world);
  }

  /** So that they can be read. */
  void keepFinishedRunners() {
    world.spec("{\"retention\":{\"succeededLimit\":" + KEPT + ",\"podPolicy\":\"Delete\"}}");
  }

  /** Makes a change in the midst of jobs, and holds what is seen against what must be. */
  void during(Stage stage, Runnable change) {
    var before = fields.paths();
    var early = new ArrayList<>(submit(JobRequest.of(EACH, World.SET, LONG)));
    early.addAll(submit(JobRequest.of(STREAM, World.SET, SHORT).withSpread(LONG)));
    world.awaitBusy(EACH);
    var begin = world.now();
    change.run();
    var end = world.now();
    var capacitySeconds = untilCapacityFollows();
    var late = submit(JobRequest.of(EACH, World.SET, SHORT));
    world.awaitJobsDone(PATIENCE);
    int kept = Math.min(KEPT, submitted);
    world.settle(() ->
        notReported(early).isEmpty()
            && notReported(late).isEmpty()
            && finished.names().size() == kept
            && lost(before).isEmpty());
    softly
        .assertThat(Math.max(longestWaitMs(early), longestWaitMs(late)))
        .as("longest-wait-ms-%s", stage.goes())
        .isLessThanOrEqualTo(LONGEST_WAIT_MS);
    softly.assertThat(notReported(late)).as("jobs-are-reported-%s", stage.pair()).isEmpty();
    Bars.within(softly, CAPACITY_SECONDS, capacitySeconds, "capacity-follows-%s", stage.pair());
    var reads = stage.reads();
    if (!reads.isEmpty()) {
      softly.assertThat(carriedOver(early, begin, end)).as("jobs-go-on-%s", reads).isPositive();
      softly.assertThat(notReported(early)).as("their-ends-are-reported-%s", reads).isEmpty();
      softly.assertThat(finished.names()).as("finished-runners-count-%s", reads).hasSize(kept);
      softly.assertThat(lost(before)).as("fields-stay-%s", reads).isEmpty();
    }
  }

  private List<UUID> submit(JobRequest request) {
    submitted += request.count();
    return world.service().submit(request);
  }

  /** Another limit, which the controller tells the listener, and the listener the service. */
  private @Nullable Double untilCapacityFollows() {
    world.settle(() -> capacity() > 0); // a new session has none before its first poll
    int limit = capacity() + 1;
    var begin = world.now();
    world.spec("{\"maxRunners\":" + limit + "}");
    world.settle(() -> capacity() == limit);
    return capacity() == limit ? Times.seconds(begin, world.now()) : null;
  }

  private int capacity() {
    return world.service().scaleSets().stream()
        .mapToInt(set -> Objects.requireNonNullElse(set.capacity(), 0))
        .sum();
  }

  private List<JobView> jobs(Collection<UUID> ids) {
    return world.service().jobs().stream().filter(job -> ids.contains(job.id())).toList();
  }

  private long longestWaitMs(Collection<UUID> ids) {
    return jobs(ids).stream()
        .map(job -> Duration.between(job.queued(), job.started()))
        .max(Comparator.naturalOrder())
        .orElseThrow()
        .toMillis();
  }

  /** Jobs that ran before the change, and still after it. */
  private long carriedOver(Collection<UUID> ids, Instant begin, Instant end) {
    return jobs(ids).stream()
        .filter(job -> Objects.requireNonNull(job.started()).isBefore(begin))
        .filter(job -> Objects.requireNonNull(job.completed()).isAfter(end))
        .count();
  }

  /** Which jobs' runners do not tell what they should; a line each. */
  private List<String> notReported(Collection<UUID> ids) {
    var byName =
        world.runners().stream()
            .collect(Collectors.toMap(runner -> runner.getMetadata().getName(), r -> r));
    var lines = new ArrayList<String>();
    for (var job : jobs(ids)) {
      var runner = byName.get(job.runnerName());
      var missing = runner == null ? List.of("its object") : missing(runner);
      if (!missing.isEmpty()) {
        lines.add(job.runnerName() + " lacks " + missing);
      }
    }
    return lines;
  }

  /** What a finished runner does not tell: marks of the listener, and what the controller wrote. */
  private static List<String> missing(EphemeralRunner runner) {
    var status = runner.statusOrNone();
    var job = status.job();
    var times = status.timeline();
    var missing = new ArrayList<String>();
    if (status.jobId() == null || job == null || job.workflowRunId() == null) {
      missing.add("its job");
    }
    if (!"succeeded".equals(status.jobResult())) {
      missing.add("its job's result");
    }
    if (status.phase() != RunnerPhase.SUCCEEDED || status.completionTime() == null) {
      missing.add("its end");
    }
    if (times == null || times.started() == null || times.jobStarted() == null) {
      missing.add("its times");
    }
    return missing;
  }

  private List<String> lost(NavigableSet<String> before) {
    var lost = new TreeSet<>(before);
    lost.removeAll(fields.paths());
    return List.copyOf(lost);
  }
}
