package dev.runnerset.controller.features.runnerversion;

import dev.runnerset.base.Backoff;
import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.crds.RunnerVersionStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the runner version of one set, and when it is read again (RN21).
 *
 * @param last as it was read last, also by an earlier process; null for never
 * @param comparedAt when the image of a runner was last compared
 * @param reading whether a reading is under way
 * @param failures readings in a row that failed
 * @param notBefore no reading begins before that, since one failed
 */
@Pure
record VersionState(
    @Nullable RunnerVersionStatus last,
    Instant comparedAt,
    boolean reading,
    int failures,
    Instant notBefore) {
  /** A date of GitHub changes in days. */
  static final Duration READ_EVERY = Duration.ofDays(1);

  /** So that a set whose nodes have two images of one tag is not read all the time. */
  private static final Duration BETWEEN_READINGS = Duration.ofHours(1);

  private static final Duration BETWEEN_COMPARISONS = Duration.ofMinutes(1);
  private static final Backoff AFTER_FAILURE =
      Backoff.of(Duration.ofMinutes(10), Duration.ofHours(6));

  /** What an earlier process wrote; null for nothing. */
  static VersionState of(@Nullable RunnerVersionStatus written) {
    return new VersionState(written, Instant.MIN, false, 0, Instant.MIN);
  }

  /** Whether a runner is to be compared at now; the time of the next look is noted. */
  boolean mayBeDue(String revision, Now now) {
    if (reading || now.isBefore(notBefore)) {
      return false;
    }
    return isDueBy(revision, now) || !now.instant().isBefore(comparedAt.plus(BETWEEN_COMPARISONS));
  }

  /** Whether the version is to be read from a runner with that image. */
  boolean isDue(String revision, @Nullable String imageId, Now now) {
    return isDueBy(revision, now)
        || (imageId != null
            && last != null
            && !imageId.equals(last.imageID())
            && now.hasReached(last.observedAt().plus(BETWEEN_READINGS)));
  }

  private boolean isDueBy(String revision, Now now) {
    return last == null
        || failures > 0
        || !revision.equals(last.revision())
        || now.hasReached(last.observedAt().plus(READ_EVERY));
  }

  /** After a comparison that began no reading. */
  VersionState compared(Instant now) {
    return new VersionState(last, now, reading, failures, notBefore);
  }

  /** While a reading is under way. */
  VersionState begun(Instant now) {
    return new VersionState(last, now, true, failures, notBefore);
  }

  /**
   * After a reading.
   *
   * @param failed whether it brought less than it should, so that it is tried again
   */
  VersionState ended(@Nullable RunnerVersionStatus read, boolean failed, Instant now) {
    int inRow = failed ? failures + 1 : 0;
    var next = failed ? now.plus(AFTER_FAILURE.after(inRow)) : now;
    return new VersionState(read == null ? last : read, now, false, inRow, next);
  }
}
