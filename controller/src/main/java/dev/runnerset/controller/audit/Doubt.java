package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the sweeps remember of one set. Losing it does no harm: the counts are compared again.
 *
 * @param credentials the version of what it was learned with
 * @param countsFrom earlier counts say nothing: the runners changed then, or were searched for
 * @param calmUntil later counts than that are not read sooner
 * @param awaitsCounts whether a change awaits counts: then no other one moves {@code calmUntil}
 * @param since time of the first counts that disagree; null while they agree
 * @param readFrom no counts are read sooner
 * @param searchFrom the next search begins no earlier
 * @param fruitless how many searches in a row repaired nothing
 * @param foreign names of registrations that the service says are of other scale sets
 */
@Pure
public record Doubt(
    long credentials,
    Instant countsFrom,
    Instant calmUntil,
    boolean awaitsCounts,
    @Nullable Instant since,
    Instant readFrom,
    Instant searchFrom,
    int fruitless,
    Set<String> foreign) {
  /** Nothing is doubted. */
  public static final Doubt NONE = ofCredentials(0, Set.of());

  /** Copies the names. */
  public Doubt {
    foreign = Set.copyOf(foreign);
  }

  private static Doubt ofCredentials(long version, Set<String> foreign) {
    var past = Instant.MIN;
    return new Doubt(version, past, past, false, null, past, past, 0, foreign);
  }

  /**
   * New credentials may see more than former ones, so the doubt begins again. When the runners
   * changed the counts are read again, but a set whose runners change all the time is read, too,
   * and its doubt stays: only counts that agree end it.
   */
  Doubt with(Compared facts) {
    var same =
        facts.credentials() == credentials ? this : ofCredentials(facts.credentials(), foreign);
    return facts.changedAt().isAfter(same.countsFrom)
        ? same.changed(facts.changedAt(), facts.jitter())
        : same;
  }

  private Doubt changed(Instant at, Duration jitter) {
    var calm = at.plus(AuditTimes.CALM).plus(jitter);
    var first = awaitsCounts ? RequeueTime.earlier(calmUntil, calm) : calm;
    return new Doubt(credentials, at, first, true, since, readFrom, searchFrom, fruitless, foreign);
  }

  /** The counts are read now. */
  Doubt reading(Instant now) {
    var next = now.plus(AuditTimes.READ_FOR_SWEEP);
    return new Doubt(
        credentials,
        countsFrom,
        calmUntil,
        awaitsCounts,
        since,
        next,
        searchFrom,
        fruitless,
        foreign);
  }

  /** The counts of that moment agree, or do not: then later ones are read as soon as they count. */
  Doubt counted(boolean agree, Instant at) {
    // a later time is that of a refusal
    boolean isSoon = !readFrom.isAfter(at.plus(AuditTimes.READ_FOR_SWEEP));
    var from = !agree && since == null && isSoon ? at.plus(AuditTimes.CONFIRMED_AFTER) : readFrom;
    var doubted = since == null ? at : since;
    return new Doubt(
        credentials,
        countsFrom,
        calmUntil,
        false,
        agree ? null : doubted,
        from,
        searchFrom,
        agree ? 0 : fruitless,
        foreign);
  }

  /** A search ended now; what it repaired shows in later counts. */
  public Doubt searched(boolean repaired, Set<String> others, Instant now) {
    int row = repaired ? 0 : fruitless + 1;
    var calm = now.plus(AuditTimes.CONFIRMED_AFTER);
    var next = repaired ? now : now.plus(AuditTimes.SEARCH.after(row));
    // more may be left than was too many: only counts that agree end the doubt
    var doubted = repaired ? now : null;
    return new Doubt(credentials, now, calm, false, doubted, Instant.MIN, next, row, others);
  }

  /**
   * A search repaired nothing; from that time on, another one may look for the registrations that
   * it passed over.
   */
  public Doubt searchedTooSoon(Instant from, Set<String> others) {
    return new Doubt(
        credentials,
        countsFrom,
        calmUntil,
        awaitsCounts,
        since,
        readFrom,
        from,
        fruitless + 1,
        others);
  }

  /** There is nothing to search before that time. */
  public Doubt refused(Instant until, Instant now) {
    return new Doubt(credentials, now, until, false, null, until, until, fruitless, foreign);
  }
}
