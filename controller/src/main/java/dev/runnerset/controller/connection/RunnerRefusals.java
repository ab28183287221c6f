package dev.runnerset.controller.connection;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.Pure;
import dev.runnerset.controller.timing.Times;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often in a row the service refused to register or to remove a runner, or did not answer. One
 * answer may be a slip. From the second one on the refusal stands, and silence at once, until the
 * service lets a runner through, or nobody has asked for a while. A rate limit that sets the pace
 * only (CN3) stands from the fifth one on, one with a longer wait at once.
 *
 * @param shown of those in a row, the first of the present kind, so that a condition shows the same
 *     text while it stands
 */
@Pure
record RunnerRefusals(int count, @Nullable ServiceError shown, Instant last) {
  static final RunnerRefusals NONE = new RunnerRefusals(0, null, Instant.EPOCH);

  /** Several tries of one runner lie in it. */
  static final Duration FORGOTTEN_AFTER = Times.LONGEST_REGISTRATION_RETRY.multipliedBy(5);

  private static final int LASTING = 2;
  private static final int LASTING_LIMIT = 5;

  /** A wait up to that belongs to the pace. */
  private static final Duration PACE = Duration.ofSeconds(5);

  RunnerRefusals refused(ServiceError error, Instant now) {
    boolean first = !now.isBefore(last.plus(FORGOTTEN_AFTER));
    boolean sameKind =
        shown != null
            && shown.getClass().equals(error.getClass())
            && !(error instanceof ServiceError.RateLimited); // the newest tells until when
    return new RunnerRefusals(first ? 1 : count + 1, sameKind && !first ? shown : error, now);
  }

  /** The refusal that stands, or null. */
  @Nullable ServiceError standing(Instant now) {
    return shown != null && isLasting(shown) && now.isBefore(last.plus(FORGOTTEN_AFTER))
        ? shown
        : null;
  }

  private boolean isLasting(ServiceError error) {
    return error instanceof ServiceError.RateLimited(var _, var asked)
        ? count >= LASTING_LIMIT || (asked != null && asked.compareTo(PACE) > 0)
        // a call that nobody answered took its time already
        : count >= LASTING || error.details().status() == 0;
  }
}
