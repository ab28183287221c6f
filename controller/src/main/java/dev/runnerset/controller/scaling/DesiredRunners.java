package dev.runnerset.controller.scaling;

import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Objects;

/** How many runners there should be (DM5). */
public final class DesiredRunners {
  private DesiredRunners() {}

  /**
   * The wanted number, up to that of DM6: the assigned jobs and {@code replicas} idle runners
   * beside them, as far as there is room, but for those whose places age collection released.
   * Unknown demand wants {@code replicas} (a surplus is not removed meanwhile; see {@code
   * RemovalPlanner}).
   */
  public static int of(EphemeralRunnerSet set) {
    int replicas = Objects.requireNonNullElse(set.getSpec().replicas(), 0);
    int assigned = set.assigned();
    int most = most(set);
    int idle = Math.min(replicas, most - assigned);
    int released = Objects.requireNonNullElse(set.statusOrNone().releasedIdle(), 0);
    long wanted = (long) assigned + Math.max(0, idle - released);
    return Math.clamp(wanted, 0, most);
  }

  /** The most runners that there may be now (DM6). */
  public static int most(EphemeralRunnerSet set) {
    var spec = set.getSpec();
    int maxRunners = Objects.requireNonNullElse(spec.maxRunners(), Integer.MAX_VALUE);
    return RunnerPlaces.number(maxRunners, spec.places(), set.assigned());
  }
}
