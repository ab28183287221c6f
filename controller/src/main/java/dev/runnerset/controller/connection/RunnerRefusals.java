package dev.runnerset.controller.connection;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.Pure;
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

  private static final int LASTING = 2;
  private static final int LASTING_LIMIT = 5;

  RunnerRefusals refused(ServiceError error, Instant now) {
    boolean first = !now.isBefore(last.plus(ConnectionTimes.REFUSAL_FORGOTTEN_AFTER));
    boolean sameKind =
        shown != null
            && shown.getClass().equals(error.getClass())
            && !(error instanceof ServiceError.RateLimited); // the newest tells until when
    return new RunnerRefusals(first ? 1 : count + 1, sameKind && !first ? shown : error, now);
  }

  /** The refusal that stands, or null. */
  @Nullable ServiceError standing(Instant now) {
    return shown != null
            && isLasting(shown)
            && now.isBefore(last.plus(ConnectionTimes.REFUSAL_FORGOTTEN_AFTER))
        ? shown
        : null;
  }

  private boolean isLasting(ServiceError error) {
    return error instanceof ServiceError.RateLimited(var _, var asked)
        ? count >= LASTING_LIMIT || (asked != null && asked.compareTo(ConnectionTimes.PACE) > 0)
        // a call that nobody answered took its time already
        : count >= LASTING || error.details().status() == 0;
  }
}
