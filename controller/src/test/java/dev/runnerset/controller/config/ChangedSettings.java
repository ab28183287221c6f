package dev.runnerset.controller.config;

import java.time.Duration;

/** The defaults of the controller with one thing changed. */
public final class ChangedSettings {
  private ChangedSettings() {}

  private static ControllerSettings of(
      ControllerSettings before,
      Leadership leadership,
      FeatureGates gates,
      AgeCollectionSettings ages,
      LeavingTaints taints,
      EmbeddedStatus embedded) {
    return new ControllerSettings(
        before.places(),
        leadership,
        before.concurrency(),
        before.protectionWindow(),
        gates,
        ages,
        taints,
        before.fixedNodes(),
        embedded);
  }

  public static ControllerSettings withLease(ControllerSettings before, LeaseTimes times) {
    var old = before.leadership();
    return with(before, new Leadership(old.identity(), times, old.sweepPeriod()));
  }

  public static ControllerSettings withSweepPeriod(ControllerSettings before, Duration period) {
    var old = before.leadership();
    return with(before, new Leadership(old.identity(), old.times(), period));
  }

  private static ControllerSettings with(ControllerSettings before, Leadership leadership) {
    return of(
        before,
        leadership,
        before.gates(),
        before.ageCollection(),
        before.leavingTaints(),
        before.embeddedStatus());
  }

  public static ControllerSettings withAgeCollection(
      ControllerSettings before, FeatureGates gates, AgeCollectionSettings ages) {
    return of(
        before, before.leadership(), gates, ages, before.leavingTaints(), before.embeddedStatus());
  }

  public static ControllerSettings withEmbeddedStatus(
      ControllerSettings before, EmbeddedStatus embedded) {
    return of(
        before,
        before.leadership(),
        before.gates(),
        before.ageCollection(),
        before.leavingTaints(),
        embedded);
  }

  public static ControllerSettings withLeavingTaints(
      ControllerSettings before, LeavingTaints taints) {
    return of(
        before,
        before.leadership(),
        before.gates(),
        before.ageCollection(),
        taints,
        before.embeddedStatus());
  }
}
