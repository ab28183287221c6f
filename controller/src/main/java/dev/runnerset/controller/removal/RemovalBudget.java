package dev.runnerset.controller.removal;

import dev.runnerset.base.Backoff;
import dev.runnerset.base.Pure;
import java.time.Duration;
import java.time.Instant;

/**
 * When a set may ask the service again after it was refused too often (SD6), or after a pass ended
 * at its second error (docs/adr/0018): 30 s, doubling to 2 min, reset by a removal that the service
 * answered with 204. Refusals of one pass are remembered for the next, since passes may follow each
 * other at once. Immutable.
 *
 * @param step how often in a row the refusals ran out, or a pass failed
 * @param spent refusals since the last removal or backoff
 * @param spentUntil {@code spent} counts until then
 * @param notBefore the next pass begins no earlier
 */
@Pure
public record RemovalBudget(int step, int spent, Instant spentUntil, Instant notBefore) {
  /** Refusals a pass may meet. */
  public static final int REFUSALS_PER_PASS = 2;

  /** A pass ends when so many removals failed: the next ones would fail too. */
  public static final int FAILURES_PER_PASS = 2;

  /** Nothing was refused yet. */
  public static final RemovalBudget FRESH = new RemovalBudget(0, 0, Instant.EPOCH, Instant.EPOCH);

  private static final Backoff WAIT = Backoff.of(Duration.ofSeconds(30), Duration.ofMinutes(2));

  /** Whether a pass may begin. */
  public boolean isOpen(Instant now) {
    return !now.isBefore(notBefore);
  }

  /** How many refusals a pass that begins now may meet; at least 1 when it may begin. */
  public int refusalsLeft(Instant now) {
    return REFUSALS_PER_PASS - (now.isBefore(spentUntil) ? spent : 0);
  }

  /**
   * The budget after a pass that removed, was refused and failed so often.
   *
   * @param removed by a request that the service answered with 204; a runner that went without one
   *     tells nothing of the service
   */
  public RemovalBudget after(int removed, int refused, int failed, Instant now) {
    int base = removed > 0 ? 0 : step;
    int before = removed > 0 || !now.isBefore(spentUntil) ? 0 : spent;
    int total = before + refused;
    if (total < REFUSALS_PER_PASS && failed < FAILURES_PER_PASS) {
      return new RemovalBudget(
          base, total, refused > 0 ? now.plus(WAIT.first()) : spentUntil, notBefore);
    }
    return new RemovalBudget(base + 1, 0, Instant.EPOCH, now.plus(WAIT.after(base + 1)));
  }
}
