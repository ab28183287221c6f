package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.EphemeralRunnerStatus;
import java.time.Instant;

/** When the service may be asked again to remove a registration. Pure. */
public final class RemovalWait {
  private RemovalWait() {}

  /** The later of what the remover wrote and of our own backoff; long past if neither is. */
  public static Instant until(EphemeralRunnerStatus heard, RunnerMemory attempt) {
    var suspect = heard.removal() == null ? null : heard.removal().busySuspectUntil();
    var told = suspect == null ? Instant.EPOCH : suspect;
    var own = attempt.removalNotBefore() == null ? Instant.EPOCH : attempt.removalNotBefore();
    return told.isAfter(own) ? told : own;
  }
}
