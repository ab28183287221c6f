package dev.runnerset.base.metrics;

import io.prometheus.metrics.model.snapshots.MetricMetadata;
import java.util.List;
import java.util.Locale;

/** What a program counts or measures: a constant of an enum, so that all of them stand together. */
public interface Metric {
  /** How Prometheus shows the metric. Each call returns the same definition. */
  Definition definition();

  /** What kind of series a metric has. */
  enum Kind {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    /** A count and a sum. */
    SUMMARY;

    /** The word of Prometheus. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A label that is not of the set.
   *
   * @param values all of them; none if no series is shown before it is counted or set
   */
  record Label(String name, List<String> values) {
    public Label(String name, String... values) {
      this(name, List.of(values));
    }
  }

  /**
   * A metric as Prometheus shows it.
   *
   * @param ofProcess whether its series are of the process; else each is of a set
   * @param name that of a counter ends in {@code _total}; a histogram has the suffixes of its kind
   * @param help what is counted or measured, in a sentence on one line
   * @param labels those after {@code namespace} and {@code name} of a set, in the order of their
   *     values
   */
  record Definition(boolean ofProcess, Kind kind, String name, String help, List<Label> labels) {
    /** For the Prometheus client, which adds {@code _total} to the name of a counter. */
    MetricMetadata metadata() {
      return new MetricMetadata(name.replaceFirst("_total$", ""), help);
    }

    /** One whose series are of sets. */
    public Definition(Kind kind, String name, String help, Label... labels) {
      this(false, kind, name, help, List.of(labels));
    }
  }
}
