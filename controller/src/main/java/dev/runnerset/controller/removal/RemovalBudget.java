package dev.runnerset.controller.removal;

import java.time.Duration;
import java.time.Instant;

/**
 * When a set may ask the service again after a pass in which it was refused too often (design section
 * 5 step 6): 30 s, doubling to 2 min, reset by a removal that succeeded. Immutable.
 *
 * @param step how often in a row a pass ran out of refusals
 * @param notBefore the next pass begins no earlier
 */
public record RemovalBudget(int step, Instant notBefore) {
  /** Refusals a pass may meet. */
  public static final int REFUSALS_PER_PASS = 2;

  /** Nothing was refused yet. */
  public static final RemovalBudget FRESH = new RemovalBudget(0, Instant.EPOCH);

  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** Whether a pass may begin. */
  public boolean isOpen(Instant now) {
    return !now.isBefore(notBefore);
  }

  /** The budget after a pass that removed and was refused so often. */
  public RemovalBudget after(int removed, int refused, Instant now) {
    int base = removed > 0 ? 0 : step;
    if (refused < REFUSALS_PER_PASS) {
      return new RemovalBudget(base, notBefore);
    }
    var wait = FIRST.multipliedBy(1L << Math.min(base, 2));
    return new RemovalBudget(base + 1, now.plus(wait.compareTo(LONGEST) > 0 ? LONGEST : wait));
  }
}
