package dev.runnerset.controller.retention;

import dev.runnerset.crds.AutoScalingRunnerSet;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnAddFilter;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;

/** The events of sets that the limit controller is woken by; the framework makes them. */
final class LimitEvents {
  private LimitEvents() {}

  /** Seen first. */
  static final class Added implements OnAddFilter<AutoScalingRunnerSet> {
    @Override
    public boolean accept(AutoScalingRunnerSet set) {
      return Transitions.limitOnAdd(set);
    }
  }

  /** Changed. */
  static final class Updated implements OnUpdateFilter<AutoScalingRunnerSet> {
    @Override
    public boolean accept(AutoScalingRunnerSet now, AutoScalingRunnerSet before) {
      return Transitions.limitOnUpdate(now, before);
    }
  }
}
