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
    return of(set, most(set));
  }

  /** The same number if no term bounded it (DM12). */
  public static int withoutTerms(EphemeralRunnerSet set) {
    return of(set, maxRunners(set));
  }

  private static int of(EphemeralRunnerSet set, int most) {
    int replicas = Objects.requireNonNullElse(set.getSpec().replicas(), 0);
    int assigned = set.assigned();
    int idle = Math.min(replicas, most - assigned);
    int released = Objects.requireNonNullElse(set.statusOrNone().releasedIdle(), 0);
    long wanted = (long) assigned + Math.max(0, idle - released);
    return Math.clamp(wanted, 0, most);
  }

  /** The most runners that there may be now (DM6). */
  public static int most(EphemeralRunnerSet set) {
    return RunnerPlaces.number(maxRunners(set), set.getSpec().places(), set.assigned());
  }

  private static int maxRunners(EphemeralRunnerSet set) {
    return Objects.requireNonNullElse(set.getSpec().maxRunners(), Integer.MAX_VALUE);
  }
}
