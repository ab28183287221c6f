package dev.runnerset.controller.scaling;

import dev.runnerset.crds.RunnerMode;

/** How many runners there should be (DM5). */
public final class DesiredRunners {
  private DesiredRunners() {}

  /**
   * The wanted number, between 0 and {@code maxRunners}: the assigned jobs and {@code minRunners}
   * idle runners beside them, as far as there is room, but for those whose places age collection
   * released. Unknown demand wants {@code minRunners} (what is there beyond them stays: that is
   * decided where runners are removed).
   */
  public static int of(ScalingInput input) {
    if (input.beingDeleted() || input.mode() == RunnerMode.DRAINED) {
      return 0;
    }
    int assigned = assigned(input);
    int places = Math.min(input.minRunners(), input.maxRunners() - assigned);
    long wanted = (long) assigned + Math.max(0, places - input.releasedIdle());
    return Math.clamp(wanted, 0, input.maxRunners());
  }

  /** Assigned jobs, 0 while nothing was heard. */
  static int assigned(ScalingInput input) {
    var demand = input.demand();
    return demand == null || demand.assigned() == null ? 0 : demand.assigned();
  }
}
