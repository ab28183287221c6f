package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How many removals of a set may be under way (SD6): two, less one for each refusal of the last 30
 * s, so that at most two answers of any 30 s are useless (I3), and less one after an error. After
 * two refusals in 30 s, or two errors in a row, none begins for 30 s, doubling to 2 min; a removal
 * that the service answers with 204 ends the doubling. Immutable.
 *
 * @param step how often the budget was spent since the last removal
 * @param refusedAt when the service refused last, at most two instants
 * @param failedAt when a request failed last; null if the service has answered since
 * @param notBefore no removal begins before
 */
@Pure
public record RemovalBudget(
    int step, List<Instant> refusedAt, @Nullable Instant failedAt, Instant notBefore) {
  /** Removals that may be under way at once. */
  public static final int AT_ONCE = 2;

  /** Nothing was refused yet. */
  public static final RemovalBudget FRESH = new RemovalBudget(0, List.of(), null, Instant.EPOCH);

  /** How many removals may be under way now. */
  public int atOnce(Instant now) {
    return now.isBefore(notBefore) ? 0 : Math.max(0, AT_ONCE - (int) recent(now).count());
  }

  /** When more may be under way than now, without another answer; null if none more may. */
  public @Nullable Instant moreAt(Instant now) {
    return now.isBefore(notBefore)
        ? notBefore
        : recent(now)
            .min(Comparator.naturalOrder())
            .map(at -> at.plus(RemovalTimes.REFUSAL_WINDOW))
            .orElse(null);
  }

  /** After the service removed a runner at a request. */
  public RemovalBudget removed() {
    return new RemovalBudget(0, refusedAt, null, notBefore);
  }

  /** After the service said that a runner has a job. */
  public RemovalBudget refused(Instant now) {
    var refusals =
        Stream.concat(refusedAt.stream().filter(at -> counts(at, now)), Stream.of(now)).toList();
    return refusals.size() < AT_ONCE
        ? new RemovalBudget(step, refusals, null, notBefore)
        : new RemovalBudget(
            step + 1, refusals, null, now.plus(RemovalTimes.BUDGET_WAIT.after(step + 1)));
  }

  /** After a request without an answer, or with an error. */
  public RemovalBudget failed(Instant now) {
    return failedAt == null || !counts(failedAt, now)
        ? new RemovalBudget(step, refusedAt, now, notBefore)
        : new RemovalBudget(
            step + 1, refusedAt, null, now.plus(RemovalTimes.BUDGET_WAIT.after(step + 1)));
  }

  private Stream<Instant> recent(Instant now) {
    return Stream.concat(refusedAt.stream(), Stream.ofNullable(failedAt))
        .filter(at -> counts(at, now));
  }

  private static boolean counts(Instant at, Instant now) {
    return now.isBefore(at.plus(RemovalTimes.REFUSAL_WINDOW));
  }
}
