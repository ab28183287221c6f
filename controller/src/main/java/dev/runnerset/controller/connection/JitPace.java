package dev.runnerset.controller.connection;

import dev.runnerset.base.Pure;
import java.time.Duration;
import java.time.Instant;

/**
 * How many JIT configs a second a service takes from one credential, as its answers tell (CN3,
 * docs/adr/0086). No limit until it refuses one for its rate; then what it accepted between two
 * refusals, and from there CUBIC's curve: flat for long, steep at last, flatter after each refusal.
 * Immutable.
 *
 * @param rate a second, when it was limited or held last; infinite before the first refusal
 * @param refusals that confirmed the rate
 * @param refusedAt the last refusal
 * @param opensAt when the service wants to be asked again
 * @param accepted of the calls that were sent since that refusal
 * @param recent accepted in the last second, older ones counting less and less
 */
@Pure
record JitPace(
    double rate,
    int refusals,
    Instant refusedAt,
    Instant opensAt,
    int accepted,
    double recent,
    Instant recentAt) {
  /** No service has refused anything. */
  static final JitPace OPEN =
      new JitPace(Double.POSITIVE_INFINITY, 0, Instant.EPOCH, Instant.EPOCH, 0, 0, Instant.EPOCH);

  /** Until the rate has doubled after the first refusal. */
  private static final double DOUBLES_AFTER = 3;

  /** So much longer after each refusal that confirms it. */
  private static final double FLATTER = 2.5;

  private static final int FLATTEST = 4;
  private static final double SLOWEST = 1.0 / ConnectionTimes.HELD_TRIED_EVERY.toSeconds();

  /** A little less than what was just too much. */
  private static final double LESS = 0.95;

  /** A second now; infinite without a limit. */
  double at(Instant now) {
    if (isOpen(now)) {
      return Double.POSITIVE_INFINITY;
    }
    double since = seconds(opensAt, now) / (DOUBLES_AFTER * Math.pow(FLATTER, refusals));
    return rate * (1 + since * since * since);
  }

  boolean isOpen(Instant now) {
    return Double.isInfinite(rate)
        || now.isAfter(opensAt.plus(ConnectionTimes.LIMIT_FORGOTTEN_AFTER));
  }

  /** The service took a call that was sent then. */
  JitPace accepted(Instant sent, Instant now) {
    int more = sent.isBefore(refusedAt) ? 0 : 1;
    return new JitPace(rate, refusals, refusedAt, opensAt, accepted + more, recent(now) + 1, now);
  }

  /**
   * The service refused a call that was sent then, for its rate. Calls that were under way together
   * are refused once.
   *
   * @param waited whether runners wait for their turn: else fewer calls are sent than the rate
   *     allows, so that a refusal says nothing of it, unless nothing was accepted since the last
   */
  JitPace refused(Instant sent, Instant now, boolean waited) {
    if (sent.isBefore(refusedAt)) {
      return this;
    }
    boolean first = isOpen(now);
    double tooMuch = first || waited ? Math.min(at(now), recent(now) + 1) : at(now);
    double next = LESS * tooMuch;
    int confirmed = 0;
    if (!first && accepted == 0) {
      next = tooMuch / 2; // far too much
    } else if (!first && !waited) {
      next = tooMuch;
      confirmed = refusals;
    } else if (!first) {
      confirmed = Math.min(refusals + 1, FLATTEST);
      // exact for a service that saves up what is not used, too low for one that does not
      double measured = (accepted - 1) / Math.max(0.001, seconds(refusedAt, now));
      next = Math.clamp(measured, tooMuch * (1 - Math.pow(0.5, confirmed)), next);
    }
    return new JitPace(Math.max(SLOWEST, next), confirmed, now, now, 0, recent(now), now);
  }

  /** Nothing may be sent for so long, or until it is tried; the rate stays as it is. */
  JitPace held(Instant now, Duration asked) {
    var opens =
        now.plus(
            asked.compareTo(ConnectionTimes.HELD_TRIED_EVERY) > 0
                ? ConnectionTimes.HELD_TRIED_EVERY
                : asked);
    return opens.isAfter(opensAt)
        ? new JitPace(at(now), refusals, refusedAt, opens, accepted, recent, recentAt)
        : this;
  }

  private double recent(Instant now) {
    return recent * Math.exp(-seconds(recentAt, now));
  }

  private static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toNanos() / 1e9);
  }
}
