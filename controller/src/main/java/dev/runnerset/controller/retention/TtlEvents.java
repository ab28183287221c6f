package dev.runnerset.controller.retention;

import dev.runnerset.crds.EphemeralRunner;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnAddFilter;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;

/** The events of runners that the TTL controller is woken by; the framework makes them. */
final class TtlEvents {
  private TtlEvents() {}

  /** Seen first. */
  static final class Added implements OnAddFilter<EphemeralRunner> {
    @Override
    public boolean accept(EphemeralRunner runner) {
      return Transitions.ttlOnAdd(runner);
    }
  }

  /** Changed. */
  static final class Updated implements OnUpdateFilter<EphemeralRunner> {
    @Override
    public boolean accept(EphemeralRunner now, EphemeralRunner before) {
      return Transitions.ttlOnUpdate(now, before);
    }
  }
}
