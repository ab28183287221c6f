package dev.runnerset.controller.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** The counters of this process. Safe for concurrent use. */
public final class Meters {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /**
   * Counts one.
   *
   * @param namespace of the set
   * @param name of the set
   * @param values of the meter's labels, in their order
   */
  public void count(Meter meter, String namespace, String name, String... values) {
    counter(meter, namespace, name, values).increment();
  }

  /** Registers a series with 0, so that its first increase is visible. */
  public void register(Meter meter, String namespace, String name, String... values) {
    var _ = counter(meter, namespace, name, values);
  }

  /** The value of a series; 0 if nothing was counted. */
  public double value(Meter meter, String namespace, String name, String... values) {
    return counter(meter, namespace, name, values).count();
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
        registry.remove(id);
      }
    }
  }

  private Counter counter(Meter meter, String namespace, String name, String... values) {
    var labels = meter.labels();
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(meter.metric() + " has the labels " + labels);
    }
    var tags = Tags.of("namespace", namespace, "name", name);
    for (int i = 0; i < values.length; i++) {
      tags = tags.and(labels.get(i), values[i]);
    }
    return Counter.builder(meter.metric()).description(meter.help()).tags(tags).register(registry);
  }
}
