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
 * service lets a runner through, or nobody has asked for a while. A rate limit that only sets the
 * pace (CN3) is no refusal: it stands if the service asks for a longer wait, or lets nothing
 * through for long.
 *
 * @param shown of those in a row, the first of the present kind, so that a condition shows the same
 *     text while it stands
 * @param first of those in a row
 * @param heldUntil the end of the longer wait; before all others without one
 */
@Pure
record RunnerRefusals(
    int count, @Nullable ServiceError shown, Instant first, Instant last, Instant heldUntil) {
  static final RunnerRefusals NONE =
      new RunnerRefusals(0, null, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);

  /** Several tries of one runner lie in it. */
  static final Duration FORGOTTEN_AFTER = Times.LONGEST_REGISTRATION_RETRY.multipliedBy(5);

  /** A rate limit without a longer wait stands if nothing was let through for so long. */
  static final Duration PACE_STANDS_AFTER = Duration.ofSeconds(10);

  /** A wait up to that belongs to the pace. */
  static final Duration PACE = Duration.ofSeconds(5);

  private static final int LASTING = 2;

  RunnerRefusals refused(ServiceError error, Instant now) {
    boolean isFirst = !now.isBefore(last.plus(FORGOTTEN_AFTER));
    boolean sameKind = shown != null && shown.getClass().equals(error.getClass());
    boolean keeps = sameKind && !isFirst;
    var until = isFirst ? Instant.EPOCH : heldUntil;
    if (error instanceof ServiceError.RateLimited(var _, var asked)) {
      boolean isLong = asked != null && asked.compareTo(PACE) > 0;
      until = isLong ? now.plus(asked) : until;
      keeps = keeps && !isLong; // the newest tells until when
    }
    return new RunnerRefusals(
        isFirst ? 1 : count + 1, keeps ? shown : error, isFirst ? now : first, now, until);
  }

  /** The refusal that stands, or null. */
  @Nullable ServiceError standing(Instant now) {
    return isLasting() && now.isBefore(last.plus(FORGOTTEN_AFTER)) ? shown : null;
  }

  private boolean isLasting() {
    if (shown instanceof ServiceError.RateLimited) {
      return heldUntil.isAfter(first) || !last.isBefore(first.plus(PACE_STANDS_AFTER));
    }
    // a call that nobody answered took its time already
    return count >= LASTING || (shown != null && shown.details().status() == 0);
  }

  /** Whether the longer wait is not over; what was noted before the clock was put back is. */
  boolean isHeld(Instant now) {
    return shown instanceof ServiceError.RateLimited
        && heldUntil.isAfter(now)
        && !now.isBefore(last);
  }
}
