package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the sweeps remember of one set. Losing it does no harm: the counts are compared again.
 *
 * @param credentials the version of what it was learned with
 * @param countsFrom earlier counts say nothing: the runners changed then, or were searched for
 * @param calmUntil later counts than that are not read sooner
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
    return new Doubt(version, past, past, null, past, past, 0, foreign);
  }

  /**
   * New credentials may see more than former ones, so the doubt begins again; so it does when the
   * runners changed.
   */
  Doubt with(Compared facts) {
    var same =
        facts.credentials() == credentials ? this : ofCredentials(facts.credentials(), foreign);
    var changed = facts.changedAt();
    return changed.isAfter(same.countsFrom)
        ? same.with(
            changed, changed.plus(RegistrationAudit.CALM).plus(facts.jitter()), null, same.readFrom)
        : same;
  }

  private Doubt with(Instant from, Instant calm, @Nullable Instant doubted, Instant read) {
    return new Doubt(credentials, from, calm, doubted, read, searchFrom, fruitless, foreign);
  }

  /** The counts are read now. */
  Doubt reading(Instant now) {
    return with(countsFrom, calmUntil, since, now.plus(RegistrationAudit.READ_FOR_SWEEP));
  }

  /** The counts of that moment agree, or do not. */
  Doubt counted(boolean agree, Instant at) {
    return agree
        ? new Doubt(credentials, countsFrom, calmUntil, null, readFrom, searchFrom, 0, foreign)
        : with(countsFrom, calmUntil, since == null ? at : since, readFrom);
  }

  /** A search ended now; what it repaired shows in later counts. */
  public Doubt searched(boolean repaired, Set<String> others, Instant now) {
    int row = repaired ? 0 : fruitless + 1;
    var calm = now.plus(RegistrationAudit.CONFIRMED_AFTER);
    var next = now.plus(RegistrationAudit.SEARCH.after(row));
    return new Doubt(credentials, now, calm, null, Instant.MIN, next, row, others);
  }

  /** There is nothing to search before that time. */
  public Doubt refused(Instant until, Instant now) {
    return new Doubt(credentials, now, until, null, until, until, fruitless, foreign);
  }
}
