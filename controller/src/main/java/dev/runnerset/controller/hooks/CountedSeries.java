package dev.runnerset.controller.hooks;

import dev.runnerset.controller.metrics.Meter;
import java.util.List;

/**
 * A series that each set has from its first reconcile on, with 0, so that its first increase is
 * visible.
 *
 * @param values of the meter's labels beside namespace and name, in their order
 */
public record CountedSeries(Meter meter, List<String> values) {
  public CountedSeries {
    values = List.copyOf(values);
  }

  public static CountedSeries of(Meter meter, String... values) {
    return new CountedSeries(meter, List.of(values));
  }
}
