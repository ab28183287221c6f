package dev.runnerset.controller.scaling;

import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Objects;

/** How many runners there should be (DM5). */
public final class DesiredRunners {
  private DesiredRunners() {}

  /**
   * The wanted number, up to {@code maxRunners}: the assigned jobs and {@code replicas} idle
   * runners beside them, as far as there is room, but for those whose places age collection
   * released. Unknown demand wants {@code replicas} (a surplus is not removed meanwhile; see {@code
   * RemovalPlanner}).
   */
  public static int of(EphemeralRunnerSet set) {
    var spec = set.getSpec();
    int replicas = Objects.requireNonNullElse(spec.replicas(), 0);
    int maxRunners = Objects.requireNonNullElse(spec.maxRunners(), Integer.MAX_VALUE);
    int assigned = set.assigned();
    int places = Math.min(replicas, maxRunners - assigned);
    int released = Objects.requireNonNullElse(set.statusOrNone().releasedIdle(), 0);
    long wanted = (long) assigned + Math.max(0, places - released);
    return Math.clamp(wanted, 0, maxRunners);
  }
}
