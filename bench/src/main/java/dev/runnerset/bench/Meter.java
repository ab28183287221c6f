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

/** Measures one stretch of time, from its making to {@link #stop}. */
final class Meter {
  private static final String USELESS = "removeRunner.useless";
  private static final double MILLIS = 1_000;

  private final World world;
  private final Audit audit;
  private final int jobs;
  private final Map<String, Long> calls;
  private final Instant begin;
  private final Map<String, Processes.Use> before;

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
    calls = world.service().counters();
    begin = world.now();
    before = Processes.now(); // the last: what was done above is not of the work
  }

  /** The row of what was since the beginning. */
  Row stop(Cell cell, Row.Side side, int run) {
    var after = Processes.now();
    var figures = new LinkedHashMap<String, Double>();
    figures.put(Row.SECONDS, seconds(Duration.between(begin, world.now())));
    var requests = Requests.next(audit);
    var done = world.service().jobs();
    times(figures, done.subList(jobs, done.size()), requests);
    counts(figures, done.size() - jobs, requests);
    processes(figures, after);
    return new Row(cell.word(), side, run, figures, requests.byClient());
  }

  private void times(Map<String, Double> figures, List<JobView> done, Requests requests) {
    var podByName = Measure.podByName(world);
    percentiles(
        figures,
        Row.STARTED_P50,
        Row.STARTED_P99,
        done.stream().flatMap(j -> between(j.queued(), j.started())));
    var pods = done.stream().map(j -> podByName.get(j.runnerName())).filter(Objects::nonNull);
    var ended = pods.toList();
    percentiles(
        figures,
        Row.DELETED_P50,
        Row.DELETED_P99,
        ended.stream().flatMap(p -> between(p.finished(), requests.deleted().get(p.name()))));
    percentiles(
        figures,
        Row.GONE_P50,
        Row.GONE_P99,
        ended.stream().flatMap((PodTimings p) -> between(p.finished(), p.gone())));
    var first = done.stream().map(JobView::queued).filter(Objects::nonNull).min(Instant::compareTo);
    var last = done.stream().map(JobView::started).filter(Objects::nonNull).max(Instant::compareTo);
    if (first.isPresent() && last.isPresent()) {
      figures.put(Row.A_SECOND, done.size() / seconds(Duration.between(first.get(), last.get())));
    }
  }

  private void counts(Map<String, Double> figures, int done, Requests requests) {
    long made = requests.runnersMade();
    double runners = Math.max(1, made);
    var called = new HashMap<String, Long>();
    world
        .service()
        .counters()
        .forEach((name, n) -> called.put(name, n - calls.getOrDefault(name, 0L)));
    figures.put(Row.RUNNERS, (double) made);
    figures.put(Row.USELESS, (double) called.getOrDefault(USELESS, 0L));
    figures.put(Row.SET_WRITES, (double) requests.writesOnSets());
    if (done > 0) {
      figures.put(Row.PER_JOB, (double) made / done);
      figures.put(Row.WRITES, (requests.writesOnRunners() + requests.writesOnSets()) / runners);
      figures.put(Row.CALLS, Measure.callsForRunners(called) / runners);
      requests.deeds().forEach((deed, n) -> figures.put(Row.DEED + deed, n / runners));
    }
  }

  private void processes(Map<String, Double> figures, Map<String, Processes.Use> after) {
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
