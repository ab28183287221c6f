package dev.runnerset.controller.scaling;

import dev.runnerset.crd.RunnerMode;

/** How many runners there should be (design section 4 step 3, ADR 2023-11-02). */
public final class DesiredRunners {
  private DesiredRunners() {}

  /**
   * The wanted number, between 0 and {@code maxRunners}: the assigned jobs and {@code minRunners}
   * idle runners beside them. Unknown demand wants {@code minRunners} (what is there beyond them
   * stays: that is decided where runners are removed).
   */
  public static int of(ScalingInput input) {
    if (input.beingDeleted() || input.mode() == RunnerMode.DRAINED) {
      return 0;
    }
    long wanted = (long) assigned(input) + input.minRunners();
    return Math.clamp(wanted, 0, input.maxRunners());
  }

  /**
   * Assigned jobs, never fewer than the runners marked busy: body and statistics of a message can
   * disagree, and the marks are facts (design section 4).
   */
  static int assigned(ScalingInput input) {
    var demand = input.demand();
    int heard = demand == null || demand.assigned() == null ? 0 : demand.assigned();
    return Math.max(heard, input.markedBusy());
  }
}
