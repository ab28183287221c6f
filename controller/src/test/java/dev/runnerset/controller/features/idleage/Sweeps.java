package dev.runnerset.controller.features.idleage;

import dev.runnerset.controller.memory.Slots;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Duration;
import java.time.Instant;

/** Sweeps of a set for runners that are idle for more than an hour, for tests of other packages. */
public final class Sweeps {
  private Sweeps() {}

  public static void begin(
      IdleAge idleAge, EphemeralRunnerSet set, Slots slots, int minRunners, boolean releasing) {
    var next = new AgeSweep(Duration.ofHours(1), Duration.ofMinutes(2), minRunners, releasing);
    idleAge.begin(set, slots, next);
  }

  public static boolean isUnderWay(Slots slots) {
    return slots.get(IdleAge.STATE).sweep() != null;
  }

  /** What is known of earlier sweeps. */
  public static CollectionState done(Slots slots) {
    return slots.get(IdleAge.STATE).collections();
  }

  public static void restore(Slots slots, CollectionState written) {
    var _ = slots.change(IdleAge.STATE, state -> state.afterJobs(written, null, 0));
  }

  public static void jobStarted(Slots slots, Instant at) {
    var _ = slots.change(IdleAge.STATE, state -> state.afterJobs(CollectionState.NONE, at, 0));
  }

  public static int emptyPlaces(Slots slots) {
    return slots.get(IdleAge.STATE).emptyPlaces();
  }
}
