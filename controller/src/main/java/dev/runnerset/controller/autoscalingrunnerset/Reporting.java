package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.shield.ShieldReader;
import dev.runnerset.controller.autoscalingrunnerset.upgrade.InstalledKinds;
import dev.runnerset.controller.features.idleage.AgeCollection;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Everything that tells of a runner set: its status and its history.
 *
 * @param ages which idle runners are removed for their age
 * @param holders which listener processes live
 * @param kinds what does not fit together during an upgrade
 * @param shield what the shield of running jobs lacks
 */
record Reporting(
    StatusWriter statuses,
    HistoryWriter history,
    AgeCollection ages,
    EmbeddedStatus embedded,
    HolderLeases holders,
    InstalledKinds kinds,
    ShieldReader shield) {
  /** What the listener object says, and whether its holder is dead; null if there is no object. */
  @Nullable AutoScalingListenerStatus of(
      @Nullable AutoScalingListener listener, AutoScalingRunnerSet set, Instant now) {
    return listener == null
        ? null
        : holders.judged(listener.statusOrNone(), set.statusOrNone().conditions(), now);
  }
}
