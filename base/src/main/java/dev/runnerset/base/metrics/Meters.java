package dev.runnerset.base.metrics;

import dev.runnerset.base.metrics.Metric.Kind;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * The series of a process, for Prometheus. A set holds only what was counted or set, since a
 * process has a thousand of them (docs/adr/0100). Safe for concurrent use.
 */
public final class Meters {
  /** The client does not write a time of creation then. */
  private static final long NO_TIME = 0;

  private final Map<Metric, List<Id>> zerosByMetric = new LinkedHashMap<>();
  private final Map<Owner, Series> seriesByOwner = new ConcurrentHashMap<>();
  private final double[] bounds;

  /**
   * None of them has a series yet.
   *
   * @param metrics in the order in which they are written
   * @param fromZero the kinds that a set shows with 0 once it has begun
   * @param bounds the upper bounds of the buckets of histograms in seconds, lowest first; one
   *     without a bound is added
   */
  public Meters(List<? extends Metric> metrics, Set<Kind> fromZero, double... bounds) {
    for (var metric : metrics) {
      var shown = !metric.definition().ofProcess() && fromZero.contains(metric.definition().kind());
      zerosByMetric.put(metric, shown ? Id.all(metric) : List.of());
    }
    this.bounds = Arrays.copyOf(bounds, bounds.length + 1);
    this.bounds[bounds.length] = Double.POSITIVE_INFINITY;
  }

  /** The series of the process, which belong to no set. */
  public Series ofProcess() {
    return of(Owner.PROCESS);
  }

  /** The series of a set. Each call returns the same object until the series end. */
  public Series of(String namespace, String name) {
    return of(new Owner(namespace, name));
  }

  private Series of(Owner owner) {
    return seriesByOwner.computeIfAbsent(owner, Series::new);
  }

  /** Begins the series of a set with 0. They replace the series that the set has. */
  public Series begin(String namespace, String name) {
    var series = new Series(new Owner(namespace, name));
    series.begin();
    seriesByOwner.put(series.owner, series);
    return series;
  }

  /**
   * All series as they are now, for the writers of the Prometheus client; each metric of a set is
   * as it was at one moment. A metric without series is there, too.
   */
  public MetricSnapshots snapshots() {
    return new MetricSnapshots(zerosByMetric.keySet().stream().map(this::snapshot).toList());
  }

  private MetricSnapshot snapshot(Metric metric) {
    var metadata = metric.definition().metadata();
    return switch (metric.definition().kind()) {
      case COUNTER ->
          new CounterSnapshot(
              metadata,
              points(
                  metric,
                  (labels, numbers) ->
                      new CounterDataPointSnapshot(numbers[0], labels, null, NO_TIME)));
      case GAUGE ->
          new GaugeSnapshot(
              metadata,
              points(
                  metric,
                  (labels, numbers) -> new GaugeDataPointSnapshot(numbers[0], labels, null)));
      case HISTOGRAM -> new HistogramSnapshot(metadata, points(metric, this::histogram));
      case SUMMARY ->
          new SummarySnapshot(
              metadata,
              points(
                  metric,
                  (labels, numbers) ->
                      new SummaryDataPointSnapshot(
                          (long) numbers[0],
                          numbers[1],
                          Quantiles.EMPTY,
                          labels,
                          Exemplars.EMPTY,
                          NO_TIME)));
    };
  }

  private <T> List<T> points(Metric metric, BiFunction<Labels, double[], T> point) {
    return seriesByOwner.values().stream()
        .flatMap(series ->
            series.shown(metric).entrySet().stream()
                .map(shown -> point.apply(series.labels(shown.getKey()), shown.getValue())))
        .toList();
  }

  private HistogramDataPointSnapshot histogram(Labels labels, double[] numbers) {
    var counts = new long[bounds.length];
    Arrays.setAll(counts, i -> (long) numbers[i]);
    return new HistogramDataPointSnapshot(
        ClassicHistogramBuckets.of(bounds, counts),
        numbers[bounds.length],
        labels,
        Exemplars.EMPTY,
        NO_TIME);
  }

  /** A set; both are empty for the process. */
  private record Owner(String namespace, String name) {
    static final Owner PROCESS = new Owner("", "");

    @Override
    public String toString() {
      return equals(PROCESS) ? "the process" : namespace + "/" + name;
    }
  }

  /** One series of a set or of the process: a metric, and the values of its labels. */
  private record Id(Metric metric, List<String> values) {
    /** Each combination of the values of its labels. */
    static List<Id> all(Metric metric) {
      var rows = List.of(List.<String>of());
      for (var label : metric.definition().labels()) {
        rows =
            rows.stream()
                .flatMap(row ->
                    label.values().stream()
                        .map(value -> Stream.concat(row.stream(), Stream.of(value)).toList()))
                .toList();
      }
      return rows.stream().map(row -> new Id(metric, row)).toList();
    }
  }

  /**
   * The series of one set, or the series of the process. Safe for concurrent use. A value that is
   * counted or set after the end does not appear in the metrics.
   */
  public final class Series {
    private final Owner owner;

    /**
     * A number; for a histogram the count of each bucket, and the sum; for a summary both. Guarded
     * by this.
     */
    private final Map<Id, double[]> numbersById = new HashMap<>();

    private boolean begun; // guarded by this

    private Series(Owner owner) {
      this.owner = owner;
    }

    /** From now on, shows with 0 what is not counted yet, so that its first increase is visible. */
    public synchronized void begin() {
      begun = true;
    }

    /** Counts one. */
    public synchronized void count(Metric metric, String... values) {
      numbers(metric, List.of(values))[0]++;
    }

    /** Adds seconds to a counter; a negative time is 0, as for {@link #observe}. */
    public synchronized void add(Metric metric, Duration time, String... values) {
      numbers(metric, List.of(values))[0] += seconds(time);
    }

    /** Shows one counter with 0 if it was not counted yet. */
    public synchronized void show(Metric metric, String... values) {
      var _ = numbers(metric, List.of(values));
    }

    /** Sets a gauge. */
    public synchronized void gauge(Metric metric, double value, String... values) {
      numbers(metric, List.of(values))[0] = value;
    }

    /** Sets those gauges of a metric to 1, by the values of their labels; it has no others then. */
    public synchronized void gauges(Metric metric, Set<List<String>> wanted) {
      numbersById.keySet().removeIf(id -> id.metric() == metric);
      wanted.forEach(values -> numbers(metric, values)[0] = 1);
    }

    /**
     * Adds a time to a histogram or summary; a negative one is 0, since clocks differ or cut to
     * seconds.
     */
    public synchronized void observe(Metric metric, Duration time, String... values) {
      var numbers = numbers(metric, List.of(values));
      double seconds = seconds(time);
      if (metric.definition().kind() == Kind.SUMMARY) {
        numbers[0]++;
        numbers[1] += seconds;
        return;
      }
      int bucket = 0;
      while (seconds > bounds[bucket]) {
        bucket++;
      }
      numbers[bucket]++;
      numbers[bounds.length] += seconds;
    }

    private static double seconds(Duration time) {
      return Math.max(0, time.toSeconds() + time.getNano() / 1e9);
    }

    /** Takes the series away: the set is gone, or another process has it. */
    public void end() {
      seriesByOwner.remove(owner, this);
    }

    private double[] numbers(Metric metric, List<String> values) {
      var wanted = metric.definition();
      if (wanted.ofProcess() != owner.equals(Owner.PROCESS)
          || wanted.labels().size() != values.size()) {
        throw new IllegalArgumentException(
            "%s of %s does not fit %s".formatted(values, owner, wanted));
      }
      return numbersById.computeIfAbsent(new Id(metric, values), _ -> zero(metric));
    }

    private double[] zero(Metric metric) {
      return switch (metric.definition().kind()) {
        case HISTOGRAM -> new double[bounds.length + 1];
        case SUMMARY -> new double[2];
        default -> new double[1];
      };
    }

    /** Returns a copy, so that a slow reader of the page keeps nobody from counting. */
    private synchronized Map<Id, double[]> shown(Metric metric) {
      var shown = new LinkedHashMap<Id, double[]>();
      if (begun) {
        zerosByMetric.getOrDefault(metric, List.of()).forEach(id -> shown.put(id, zero(metric)));
      }
      numbersById.forEach((id, numbers) -> {
        if (id.metric() == metric) {
          shown.put(id, numbers.clone());
        }
      });
      return shown;
    }

    private Labels labels(Id id) {
      var names = new ArrayList<String>();
      var values = new ArrayList<String>();
      if (!id.metric().definition().ofProcess()) {
        names.addAll(List.of("name", "namespace"));
        values.addAll(List.of(owner.name(), owner.namespace()));
      }
      id.metric().definition().labels().forEach(label -> names.add(label.name()));
      values.addAll(id.values());
      return Labels.of(names, values);
    }
  }
}
