package dev.runnerset.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one measurement showed.
 *
 * @param figures by name; times in seconds, processor time in milliseconds, memory in MiB
 * @param requests how many, by client, verb and resource
 */
record Row(
    String cell, Side side, int run, Map<String, Double> figures, Map<String, Long> requests) {
  /** Made; deleted in a scale-down. */
  static final String RUNNERS = "runners";

  static final String JOBS_LOST = "jobsLost";
  static final String STARTED_P50 = "queuedToStartedP50";
  static final String STARTED_P99 = "queuedToStartedP99";

  /** Single jobs of another set while a burst lasts. */
  static final String SINGLES_P50 = "singleQueuedToStartedP50";

  static final String SINGLES_MOST = "singleQueuedToStartedMost";

  /** Single jobs of that set before the burst. */
  static final String ALONE_P50 = "aloneQueuedToStartedP50";

  static final String ALONE_MOST = "aloneQueuedToStartedMost";
  static final String DELETED_P50 = "endToDeleteP50";
  static final String DELETED_P99 = "endToDeleteP99";
  static final String GONE_P50 = "endToGoneP50";
  static final String GONE_P99 = "endToGoneP99";
  static final String A_SECOND = "startedASecond";
  static final String WRITES = "writesPerRunner";
  static final String SET_WRITES = "setWrites";
  static final String CALLS = "callsPerRunner";
  static final String PER_JOB = "runnersPerJob";
  static final String USELESS = "uselessRemovals";
  static final String SECONDS = "seconds";

  /** What is written for a runner, a deed each. */
  static final String DEED = "perRunner ";

  /** Processor time by process, in the whole stretch of time. */
  static final String CPU = "cpuMs ";

  /** All processes but the simulators. */
  static final String CPU_ALL = CPU + "all";

  static final String CPU_EACH = "cpuMsPerRunner";
  static final String RSS = "rssMib ";
  static final String MOST_RSS = "mostRssMib ";

  /** Of all processor time, what went to the simulated node and service. */
  static final String SHARE = "simulatorsShare";

  /** Who did the work. */
  enum Side {
    /** The bare client, after a burst that is not counted. */
    BOUND,
    /** Both programs, just started. */
    COLD,
    /** The same processes once more. */
    WARM;

    String words() {
      return this == BOUND ? "bound" : "ours, " + name().toLowerCase(Locale.ROOT);
    }
  }

  Row {
    figures = Map.copyOf(figures);
    requests = Map.copyOf(requests);
  }

  /** The figure of that name; 0 if the row has no such figure. */
  double get(String name) {
    return figures.getOrDefault(name, 0.0);
  }

  boolean hasRunners() {
    return get(RUNNERS) > 0;
  }

  /** A share of each runner, or the whole where there was none. */
  double perRunner(double value) {
    return value / Math.max(1, get(RUNNERS));
  }

  /** One row for each cell and side: the median of each figure, and the requests of its first. */
  static List<Row> medians(List<Row> rows) {
    var runs =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    r -> List.of(r.cell(), r.side()), LinkedHashMap::new, Collectors.toList()));
    var medians = new ArrayList<Row>();
    for (var same : runs.values()) {
      var first = same.getFirst();
      var figures = new LinkedHashMap<String, Double>();
      for (var name : first.figures().keySet()) {
        figures.put(name, median(same, row -> row.get(name)));
      }
      medians.add(new Row(first.cell(), first.side(), same.size(), figures, first.requests()));
    }
    return medians;
  }

  private static double median(List<Row> rows, ToDoubleFunction<Row> figure) {
    var sorted = rows.stream().mapToDouble(figure).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** The rows of each cell, in their order. */
  static Map<String, List<Row>> byCell(List<Row> rows) {
    return rows.stream()
        .collect(Collectors.groupingBy(Row::cell, LinkedHashMap::new, Collectors.toList()));
  }

  /** The bound of the same cell. */
  Optional<Row> bound(List<Row> rows) {
    return rows.stream().filter(r -> r.cell().equals(cell) && r.side() == Side.BOUND).findFirst();
  }

  /** How much more than the bound, for each figure that both have. */
  Map<String, Double> ratios(Row bound) {
    var ratios = new LinkedHashMap<String, Double>();
    figures.keySet().stream()
        .sorted()
        .forEach(name -> {
          if (bound.get(name) > 0) {
            ratios.put(name, get(name) / bound.get(name));
          }
        });
    return ratios;
  }

  /** By how many writes a runner the deeds of the two differ, each difference counted. */
  double otherWrites(Row other) {
    return Stream.concat(figures.keySet().stream(), other.figures().keySet().stream())
        .distinct()
        .filter(name -> name.startsWith(DEED))
        .mapToDouble(name -> Math.abs(get(name) - other.get(name)))
        .sum();
  }
}
