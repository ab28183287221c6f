package dev.runnerset.base.metrics;

import dev.runnerset.base.metrics.Metric.Kind;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/**
 * The series of a process, for Prometheus. A set holds only what was counted or set, since a
 * process has a thousand of them (docs/adr/0100). Safe for concurrent use.
 */
public final class Meters {
  private final Map<Metric, List<Id>> zerosByMetric = new LinkedHashMap<>();
  private final Map<String, Series> seriesByOwner = new ConcurrentSkipListMap<>();
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
    return of("");
  }

  /** The series of a set. Each call returns the same object until the series end. */
  public Series of(String namespace, String name) {
    return of(owner(namespace, name));
  }

  private Series of(String owner) {
    return seriesByOwner.computeIfAbsent(owner, Series::new);
  }

  /** Begins the series of a set with 0. They replace the series that the set has. */
  public Series begin(String namespace, String name) {
    var series = new Series(owner(namespace, name));
    series.begin();
    seriesByOwner.put(series.owner, series);
    return series;
  }

  /** Writes all series in the text format of Prometheus; what is counted meanwhile may be in it. */
  public void writeTo(Writer out) throws IOException {
    for (var metric : zerosByMetric.keySet()) {
      var definition = metric.definition();
      out.write("# HELP %s %s\n".formatted(definition.name(), definition.help()));
      out.write("# TYPE %s %s\n".formatted(definition.name(), definition.kind().word()));
      for (var series : seriesByOwner.values()) {
        series.write(metric, out);
      }
    }
  }

  private static String owner(String namespace, String name) {
    return and(and("", "name", name), "namespace", namespace);
  }

  /** Labels and one more. */
  private static String and(String labels, String name, String value) {
    var escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return labels + (labels.isEmpty() ? "" : ",") + name + "=\"" + escaped + '"';
  }

  private static String text(double number) {
    return number == Double.POSITIVE_INFINITY ? "+Inf" : Double.toString(number);
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
    private final String owner;

    /** A number; for a histogram the count of each bucket, and the sum. Guarded by this. */
    private final Map<Id, double[]> numbersById = new HashMap<>();

    private boolean begun; // guarded by this

    private Series(String owner) {
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

    /** Shows one counter with 0 if it was not counted yet. */
    public synchronized void show(Metric metric, String... values) {
      var _ = numbers(metric, List.of(values));
    }

    /** Sets a gauge that has no further labels. */
    public synchronized void gauge(Metric metric, double value) {
      numbers(metric, List.of())[0] = value;
    }

    /** Sets those gauges of a metric to 1, by the values of their labels; it has no others then. */
    public synchronized void gauges(Metric metric, Set<List<String>> wanted) {
      numbersById.keySet().removeIf(id -> id.metric() == metric);
      wanted.forEach(values -> numbers(metric, values)[0] = 1);
    }

    /** Adds a time to a histogram; a negative one is 0, since clocks differ or cut to seconds. */
    public synchronized void observe(Metric metric, Duration time, String... values) {
      var numbers = numbers(metric, List.of(values));
      double seconds = Math.max(0, time.toSeconds() + time.getNano() / 1e9);
      int bucket = 0;
      while (seconds > bounds[bucket]) {
        bucket++;
      }
      numbers[bucket]++;
      numbers[bounds.length] += seconds;
    }

    /** Takes the series away: the set is gone, or another process has it. */
    public void end() {
      seriesByOwner.remove(owner, this);
    }

    private double[] numbers(Metric metric, List<String> values) {
      var wanted = metric.definition();
      if (wanted.ofProcess() != owner.isEmpty() || wanted.labels().size() != values.size()) {
        throw new IllegalArgumentException(
            "{%s} %s does not fit %s".formatted(owner, values, wanted));
      }
      return numbersById.computeIfAbsent(new Id(metric, values), _ -> zero(metric));
    }

    private double[] zero(Metric metric) {
      return new double[metric.definition().kind() == Kind.HISTOGRAM ? bounds.length + 1 : 1];
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

    private void write(Metric metric, Writer out) throws IOException {
      var name = metric.definition().name();
      for (var entry : shown(metric).entrySet()) {
        var labels = owner;
        for (int i = 0; i < entry.getKey().values().size(); i++) {
          var label = metric.definition().labels().get(i);
          labels = and(labels, label.name(), entry.getKey().values().get(i));
        }
        var numbers = entry.getValue();
        if (metric.definition().kind() != Kind.HISTOGRAM) {
          line(out, name, labels, numbers[0]);
          continue;
        }
        double count = 0;
        for (int i = 0; i < bounds.length; i++) {
          count += numbers[i];
          line(out, name + "_bucket", and(labels, "le", text(bounds[i])), count);
        }
        line(out, name + "_count", labels, count);
        line(out, name + "_sum", labels, numbers[bounds.length]);
      }
    }

    private static void line(Writer out, String name, String labels, double value)
        throws IOException {
      out.append(name).append('{').append(labels).append("} ").append(text(value)).append('\n');
    }
  }
}
