package dev.runnerset.bench;

import dev.runnerset.demo.figures.Measure;
import dev.runnerset.demo.figures.Percentiles;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.node.PodTimings;
import dev.runnerset.simulator.service.JobView;
import dev.runnerset.testcluster.Audit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures one stretch of time, from its making to {@link #stop}; requests, and calls of the
 * service, to {@link #row}.
 */
final class Meter {
  private static final String USELESS = "removeRunner.useless";
  private static final double MILLIS = 1_000;

  private final World world;
  private final Audit audit;
  private final int jobs;
  private final int lost;
  private final Map<String, Long> calls;
  private final Instant begin;
  private final Map<String, Processes.Use> before;
  private Map<String, Processes.Use> after = Map.of();
  private double seconds;

  /**
   * Begins.
   *
   * @param audit of the control plane; nobody else reads from it meanwhile
   */
  Meter(World world, Audit audit) {
    this.world = world;
    this.audit = audit;
    var _ = Requests.next(audit);
    jobs = world.service().jobs().size();
    lost = world.service().jobCounts().lost();
    calls = world.service().counters();
    Processes.forgetMost();
    begin = world.now();
    before = Processes.now(); // the last: what was done above is not of the work
  }

  /** Time and the use of processes end here. */
  void stop() {
    after = Processes.now();
    seconds = seconds(Duration.between(begin, world.now()));
  }

  /** The row of what was since the beginning. */
  Row row(Cell cell, Row.Side side, int run) {
    var figures = new LinkedHashMap<String, Double>();
    figures.put(Row.SECONDS, seconds);
    var requests = Requests.next(audit);
    var done = world.service().jobs();
    times(figures, done.subList(jobs, done.size()), requests);
    if (cell.kind() == Cell.Kind.BESIDE) {
      var alone = done.subList(jobs - Sitting.SINGLES, jobs);
      percentiles(figures, Row.ALONE_P50, Row.ALONE_MOST, waits(singles(alone)));
      var beside = singles(done.subList(jobs, done.size()));
      percentiles(figures, Row.SINGLES_P50, Row.SINGLES_MOST, waits(beside));
    }
    boolean removes = cell.kind() == Cell.Kind.SCALE_DOWN;
    long runners = removes ? requests.deleted().size() : requests.runnersMade();
    counts(figures, done.size() - jobs, runners, requests);
    processes(figures, runners);
    return new Row(cell.word(), side, run, figures, requests.byClient());
  }

  private void times(Map<String, Double> figures, List<JobView> done, Requests requests) {
    var podByName = Measure.podByName(world);
    percentiles(figures, Row.STARTED_P50, Row.STARTED_P99, waits(done));
    var pods = done.stream().map(j -> podByName.get(j.runnerName())).filter(Objects::nonNull);
    var ended = pods.toList();
    var deleted = requests.deleted();
    var deletes = ended.stream().flatMap(p -> between(p.finished(), deleted.get(p.name())));
    percentiles(figures, Row.DELETED_P50, Row.DELETED_P99, deletes);
    var ends = ended.stream().flatMap((PodTimings p) -> between(p.finished(), p.gone()));
    percentiles(figures, Row.GONE_P50, Row.GONE_P99, ends);
    var first = done.stream().map(JobView::queued).filter(Objects::nonNull).min(Instant::compareTo);
    var last = done.stream().map(JobView::started).filter(Objects::nonNull).max(Instant::compareTo);
    if (first.isPresent() && last.isPresent()) {
      figures.put(Row.A_SECOND, done.size() / seconds(Duration.between(first.get(), last.get())));
    }
  }

  private static Stream<Duration> waits(List<JobView> jobs) {
    return jobs.stream().flatMap(job -> between(job.queued(), job.started()));
  }

  /** The jobs of the set that has no burst. */
  private static List<JobView> singles(List<JobView> jobs) {
    return jobs.stream().filter(j -> j.runnerName().startsWith(Sitting.SINGLE + "-")).toList();
  }

  private void counts(Map<String, Double> figures, int done, double runners, Requests requests) {
    var called = new HashMap<String, Long>();
    world
        .service()
        .counters()
        .forEach((name, n) -> called.put(name, n - calls.getOrDefault(name, 0L)));
    figures.put(Row.RUNNERS, runners);
    figures.put(Row.JOBS_LOST, (double) world.service().jobCounts().lost() - lost);
    figures.put(Row.USELESS, (double) called.getOrDefault(USELESS, 0L));
    figures.put(Row.SET_WRITES, (double) requests.writesOnSets());
    if (done > 0) {
      figures.put(Row.PER_JOB, runners / done);
    }
    if (runners > 0) {
      figures.put(Row.WRITES, (requests.writesOnRunners() + requests.writesOnSets()) / runners);
      figures.put(Row.CALLS, Measure.callsForRunners(called) / runners);
      requests.deeds().forEach((deed, n) -> figures.put(Row.DEED + deed, n / runners));
    }
  }

  private void processes(Map<String, Double> figures, double runners) {
    double all = 0;
    double simulators = 0;
    for (var process : after.entrySet()) {
      var use = process.getValue();
      var since = before.get(process.getKey());
      double cpu = use.cpuMs() - (since == null ? 0 : since.cpuMs());
      figures.put(Row.CPU + process.getKey(), cpu);
      figures.put(Row.RSS + process.getKey(), use.rssMib());
      figures.put(Row.MOST_RSS + process.getKey(), use.mostMib());
      if (process.getKey().equals(Processes.SIMULATORS)) {
        simulators = cpu;
      } else {
        all += cpu;
      }
    }
    figures.put(Row.CPU_ALL, all);
    if (runners > 0) {
      figures.put(Row.CPU_EACH, all / runners);
    }
    figures.put(Row.SHARE, simulators / Math.max(1, all + simulators));
  }

  private static void percentiles(
      Map<String, Double> figures, String half, String most, Stream<Duration> times) {
    var percentiles = Percentiles.of(times.toList());
    if (percentiles.count() > 0) {
      figures.put(half, percentiles.p50() / MILLIS);
      figures.put(most, percentiles.p99() / MILLIS);
    }
  }

  private static Stream<Duration> between(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null ? Stream.of() : Stream.of(Duration.between(from, to));
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLIS;
  }
}
