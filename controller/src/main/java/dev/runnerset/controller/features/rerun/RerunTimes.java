package dev.runnerset.controller.features.rerun;

import dev.runnerset.base.Detail;
import dev.runnerset.base.Pure;
import dev.runnerset.crds.LostJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;

/** When GitHub is asked about a run with lost jobs (RR5). */
@Pure
final class RerunTimes {
  /** A run that is not over then is given up. */
  static final Duration LONGEST = Duration.ofHours(24);

  /** What a failed job cancels of its run is over then. */
  static final Duration CANCELLED_WITHIN = Duration.ofMinutes(6);

  /** In that time GitHub knows the end of a runner that ended in order. */
  private static final Duration ORDERLY_END = Duration.ofMinutes(1);

  /** Until a run is gone on with after a failure, and after a change of the status. */
  static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

  /** GitHub may show the former attempt for a while. */
  static final Duration AFTER_RERUN = Duration.ofMinutes(2);

  /** Between two questions for what the credentials may do, while that is not known. */
  @Detail static final Duration RIGHTS = Duration.ofMinutes(1);

  private static final Duration AT_FIRST = Duration.ofSeconds(5);

  /** Of a runner that did not end in order, GitHub knows the end after some ten minutes. */
  private static final Duration UNTIL_NOTICED = Duration.ofMinutes(16);

  private static final Duration MEANWHILE = Duration.ofSeconds(30);
  private static final Duration LATER = Duration.ofMinutes(2);

  private RerunTimes() {}

  /** When a run that was read now is read again, by what needs it first. */
  static Instant next(Collection<LostJob> losses, Instant now) {
    return losses.stream()
        .map(loss -> now.plus(pause(loss, now)))
        .min(Comparator.naturalOrder())
        .orElse(now);
  }

  private static Duration pause(LostJob loss, Instant now) {
    if (loss.rerunAttempt() != null) {
      return LATER; // only to count how it ended
    }
    if (now.isBefore(loss.lostAt().plus(ORDERLY_END))) {
      return AT_FIRST;
    }
    return now.isBefore(loss.lostAt().plus(UNTIL_NOTICED)) ? MEANWHILE : LATER;
  }
}
