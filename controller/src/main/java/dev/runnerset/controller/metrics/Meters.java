package dev.runnerset.controller.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.Id;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** The series of this process. Safe for concurrent use. */
public final class Meters {
  /** Upper bounds of a runner's phases, in seconds. */
  private static final double[] BOUNDS = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800};

  private static final double MILLIS = 1000.0;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Id, AtomicReference<Double>> gaugeById = new ConcurrentHashMap<>();

  /**
   * Counts one.
   *
   * @param namespace of the set
   * @param name of the set
   * @param values of the meter's labels, in their order
   */
  public void count(Meter meter, String namespace, String name, String... values) {
    counter(meter, ofSet(meter, namespace, name, values)).increment();
  }

  /** Counts one of a meter that is not of sets. */
  public void countOfProcess(Meter meter, String... values) {
    counter(meter, tags(meter, Tags.empty(), values)).increment();
  }

  /** Registers a series with 0, so that its first increase is visible. */
  public void register(Meter meter, String namespace, String name, String... values) {
    var tags = ofSet(meter, namespace, name, values);
    if (meter.kind() == Meter.Kind.HISTOGRAM) {
      var _ = histogram(meter, tags);
    } else {
      var _ = counter(meter, tags);
    }
  }

  /** The same for a meter that is not of sets. */
  public void registerOfProcess(Meter meter, String... values) {
    var _ = counter(meter, tags(meter, Tags.empty(), values));
  }

  /** The value of a counter; 0 if nothing was counted. */
  public double value(Meter meter, String namespace, String name, String... values) {
    return counter(meter, ofSet(meter, namespace, name, values)).count();
  }

  /** Sets a gauge. */
  public void gauge(Meter meter, String namespace, String name, double value, String... values) {
    var tags = ofSet(meter, namespace, name, values);
    var id =
        new Id(
            meter.metric(),
            tags,
            null,
            meter.help(),
            io.micrometer.core.instrument.Meter.Type.GAUGE);
    gaugeById
        .computeIfAbsent(
            id,
            absent -> {
              var held = new AtomicReference<>(value);
              var _ =
                  Gauge.builder(meter.metric(), held::get)
                      .description(meter.help())
                      .tags(tags)
                      .strongReference(true)
                      .register(registry);
              return held;
            })
        .set(value);
  }

  /** Takes a gauge away: what it tells of is no longer so. */
  public void removeGauge(Meter meter, String namespace, String name, String... values) {
    var tags = ofSet(meter, namespace, name, values);
    remove(
        new Id(meter.metric(), tags, null, null, io.micrometer.core.instrument.Meter.Type.GAUGE));
  }

  /** Adds a time to a histogram. */
  public void observe(Meter meter, String namespace, String name, Duration time, String... values) {
    histogram(meter, ofSet(meter, namespace, name, values)).record(time.toMillis() / MILLIS);
  }

  /** All series in the text format of Prometheus. */
  public String exposition() {
    return registry.scrape();
  }

  /** Removes the series of a set that no longer exists. */
  public void forget(String namespace, String name) {
    for (var meter : registry.getMeters()) {
      var id = meter.getId();
      if (namespace.equals(id.getTag("namespace")) && name.equals(id.getTag("name"))) {
        remove(id);
      }
    }
  }

  private void remove(Id id) {
    gaugeById.remove(id);
    registry.remove(id);
  }

  private Counter counter(Meter meter, Tags tags) {
    return Counter.builder(meter.metric()).description(meter.help()).tags(tags).register(registry);
  }

  private DistributionSummary histogram(Meter meter, Tags tags) {
    return DistributionSummary.builder(meter.metric())
        .description(meter.help())
        .serviceLevelObjectives(BOUNDS)
        .tags(tags)
        .register(registry);
  }

  private static Tags ofSet(Meter meter, String namespace, String name, String... values) {
    return tags(meter, Tags.of("namespace", namespace, "name", name), values);
  }

  private static Tags tags(Meter meter, Tags first, String... values) {
    var labels = meter.labels();
    if (values.length != labels.size() || meter.isOfSets() == first.stream().findAny().isEmpty()) {
      throw new IllegalArgumentException(meter.metric() + " has the labels " + labels);
    }
    var tags = first;
    for (int i = 0; i < values.length; i++) {
      tags = tags.and(labels.get(i), values[i]);
    }
    return tags;
  }
}
