package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Backoff;
import dev.runnerset.base.Detail;
import dev.runnerset.controller.removal.BusySuspicion;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.EphemeralRunnerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the removal of a runner's registration from the service. Immutable.
 *
 * @param failures failed requests in a row
 * @param notBefore when the next request is allowed; null for at once
 * @param connectionLostSince since when there have been no credentials; null while there are some
 * @param nothingLeft whether the service has nothing of the runner; the runner never starts again
 * @param removedByUs whether our request removed the registration: the service had it until then
 * @param refusedBeforeEnd whether the last answer was a refusal, before the end of the job was
 *     known
 */
public record RemovalState(
    int failures,
    @Nullable Instant notBefore,
    @Nullable Instant connectionLostSince,
    boolean nothingLeft,
    boolean removedByUs,
    boolean refusedBeforeEnd) {
  /** Nothing was asked yet. */
  public static final RemovalState NONE = waiting(0, null, null);

  /** The shortest wait of both backoffs. */
  @Detail private static final Duration FIRST_WAIT = Duration.ofSeconds(2);

  private static final Backoff BACKOFF = Backoff.of(FIRST_WAIT, Duration.ofSeconds(60));

  /** The wait for a runner that nobody waits for. */
  @Detail
  private static final Backoff PATIENT_BACKOFF = Backoff.of(FIRST_WAIT, Duration.ofMinutes(4));

  private static RemovalState waiting(
      int failures, @Nullable Instant notBefore, @Nullable Instant connectionLostSince) {
    return new RemovalState(failures, notBefore, connectionLostSince, false, false, false);
  }

  /**
   * A request failed: the next one is allowed after 2 s, doubling to 60 s.
   *
   * @param lost whether for want of credentials
   */
  public RemovalState failed(Instant now, boolean lost) {
    var since = connectionLostSince == null ? now : connectionLostSince;
    return waiting(failures + 1, now.plus(BACKOFF.after(failures + 1)), lost ? since : null);
  }

  /** The service answered that it keeps the registration; the next request is allowed then. */
  public RemovalState answered(Instant again) {
    return waiting(0, again, null);
  }

  /** The service refused, since it counts a job; {@code jobIsOver}: its end was known then. */
  public RemovalState refused(Instant again, boolean jobIsOver) {
    return new RemovalState(0, again, null, false, false, !jobIsOver);
  }

  /** The registration is gone. */
  public RemovalState removed(Instant now, boolean byUs) {
    return new RemovalState(0, now, null, true, byUs, false);
  }

  /**
   * When the service may be asked again: the later of our own backoff and of what the remover wrote
   * into the status; long past if there is neither.
   */
  Instant nextRequestAt(EphemeralRunnerStatus observedStatus) {
    var removal = observedStatus.removal();
    var suspect = removal == null ? null : removal.busySuspectUntil();
    return Objects.requireNonNullElse(Times.latest(suspect, notBefore), Instant.EPOCH);
  }

  /**
   * When the service may be asked again; refusals that the end of the runner or of its job clears
   * count for our own backoff only, and not at all if the service refused before it reported the
   * end of the job.
   */
  Instant nextRequestAt(EphemeralRunnerStatus observedStatus, boolean ended, boolean jobIsOver) {
    if (!BusySuspicion.isCleared(observedStatus.removal(), ended, jobIsOver)) {
      return nextRequestAt(observedStatus);
    }
    return notBefore == null || (jobIsOver && refusedBeforeEnd) ? Instant.EPOCH : notBefore;
  }

  /**
   * When the service may be asked again for a runner that nobody waits for: here the wait doubles
   * up to 4 min, within which a warning is counted on the previous one. Null if nothing failed.
   */
  @Nullable Instant patientNotBefore() {
    if (failures == 0 || notBefore == null) {
      return null;
    }
    var failedAt = notBefore.minus(BACKOFF.after(failures));
    return failedAt.plus(PATIENT_BACKOFF.after(failures));
  }
}
