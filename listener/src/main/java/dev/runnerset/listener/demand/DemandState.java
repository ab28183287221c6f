package dev.runnerset.listener.demand;

import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.Statistics;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the listener of one set remembers between messages.
 *
 * @param believed the latest statistics believed, or null before the first ones
 * @param written the demand as it stands in the status, or null when that is not known
 * @param unfinished keys of the jobs seen assigned or started and not seen completed; at most
 *     {@link #MAX_UNFINISHED}
 * @param completed keys of the jobs seen completed lately, at most {@link #MAX_COMPLETED}: a start
 *     that comes after its completion opens none of them again
 * @param unseen how many assigned jobs of the believed statistics no event named, as those of
 *     before a start of this process; the first event of another job takes one off
 * @param offers jobs that the service offers, and those of them that need a runner
 * @param doubt what keeps the latest counts from being believed, or null
 */
public record DemandState(
    MessageIds ids,
    @Nullable Statistics believed,
    @Nullable Written written,
    Set<String> unfinished,
    Set<String> completed,
    int unseen,
    Offers offers,
    @Nullable Doubt doubt) {
  /**
   * The most jobs remembered; the oldest are forgotten first, and count as {@code unseen} then. Who
   * may make a set may have any number of jobs reported, in any number of sets.
   */
  public static final int MAX_UNFINISHED = 1_000;

  /** The most completed jobs remembered; the oldest are forgotten first. */
  public static final int MAX_COMPLETED = 200;

  /** Nothing heard and nothing written. */
  public static final DemandState NONE =
      new DemandState(
          new MessageIds(0, 0, 0), null, null, Set.of(), Set.of(), 0, Offers.NONE, null);

  /** Keeps the order of the jobs. */
  public DemandState {
    unfinished = Collections.unmodifiableSet(new LinkedHashSet<>(unfinished));
    completed = Collections.unmodifiableSet(new LinkedHashSet<>(completed));
  }

  /**
   * Numbers of messages; 0 for none. A number is the id that the service gave the message, until
   * the service begins again with small ids, as after a restore, or as one of the other flavour
   * (protocol 0).
   *
   * @param believed the latest message that the believed statistics reckon with, or that a former
   *     holder of the session wrote
   * @param latest the latest message applied; above {@code believed} while its statistics are
   *     missing or withheld
   * @param completion the latest message applied that reported a completed job
   */
  public record MessageIds(long believed, long latest, long completion) {
    /**
     * More than the ids of a service; each time that it begins again, numbers go on above the next
     * multiple.
     */
    static final long BEGINNING = 1_000_000_000_000L;

    /**
     * The number of the message with that id. It never falls, and is the same when the latest
     * message comes again.
     */
    long number(long id) {
      long number = latest / BEGINNING * BEGINNING + id;
      return number < latest ? number + BEGINNING : number;
    }

    /** Whether the service began again before the message with that number. */
    boolean beginsAgain(long number) {
      return number / BEGINNING > latest / BEGINNING;
    }
  }

  /**
   * A demand in the status.
   *
   * @param dueAt when it is written again if other counts are believed then; null for none
   */
  public record Written(long messageId, Statistics counts, @Nullable Instant dueAt) {}

  /** Why the latest counts are not believed, or not known. */
  sealed interface Doubt {}

  /** All-zero statistics are withheld since then (DM4). */
  record Zeros(Instant since) implements Doubt {}

  /**
   * Counts of a full message, which may reckon with completions that come in later messages.
   *
   * @param believedAt when they are believed at the latest; null before the next message is polled
   */
  record Ahead(Statistics counts, @Nullable Instant believedAt) implements Doubt {}

  /**
   * No statistics were ever heard in the open session, and the scale set could not be read {@code
   * failures} times; to be read again at the instant.
   */
  record Unread(int failures, Instant readAgainAt) implements Doubt {}

  /**
   * After a take-over: what stands in the status is not known, but for the message id. It must not
   * fall within one scale set, since runners are released by comparison with it (LV2).
   */
  public DemandState takenOver(long messageIdInStatus) {
    var known = new MessageIds(messageIdInStatus, messageIdInStatus, 0);
    return new DemandState(
        known,
        believed,
        null,
        unfinished,
        completed,
        unseen,
        offers,
        doubt instanceof Zeros ? doubt : null);
  }

  DemandState withWritten(Written demand) {
    return new DemandState(ids, believed, demand, unfinished, completed, unseen, offers, doubt);
  }

  /** Counts that reckon with all that was applied. */
  DemandState believing(Statistics counts) {
    var reckoned = new MessageIds(ids.latest(), ids.latest(), ids.completion());
    var counted = offers.counted(counts);
    var settled = offers.settledBy(counts);
    int others = Math.max(0, counted.assigned() - unfinished.size() - settled.open().size());
    return new DemandState(
        reckoned, counted, written, unfinished, completed, others, settled, null);
  }

  /** So many assigned jobs at least, until the counts believed now are heard again, or others. */
  DemandState atLeast(int jobs) {
    return believed == null || jobs <= believed.assigned()
        ? this
        : new DemandState(
            ids,
            believed.withAssigned(jobs),
            written,
            unfinished,
            completed,
            unseen,
            offers,
            new Ahead(believed, null));
  }

  DemandState doubting(Doubt latest) {
    return new DemandState(ids, believed, written, unfinished, completed, unseen, offers, latest);
  }

  DemandState withOffers(Offers latest) {
    return new DemandState(ids, believed, written, unfinished, completed, unseen, latest, doubt);
  }

  /**
   * After the answer to a request for offers: what was won needs runners, whatever the counts say.
   */
  DemandState acquired(List<Long> asked, Set<Long> won) {
    var next = offers.acquired(asked, won);
    int more = next.open().size() - offers.open().size();
    var counts = believed == null ? null : Offers.acquiring(believed, more);
    var ahead =
        doubt instanceof Ahead(var later, var at)
            ? new Ahead(Offers.acquiring(later, more), at)
            : doubt;
    return new DemandState(ids, counts, written, unfinished, completed, unseen, next, ahead);
  }

  /** Whether no job is known that is not over, by events or by the believed statistics. */
  boolean isIdle() {
    return unfinished.isEmpty() && unseen == 0 && offers.open().isEmpty();
  }

  DemandState forgettingJobs() {
    return new DemandState(ids, believed, written, Set.of(), completed, 0, offers, doubt);
  }

  /** After the events of the message with that number. */
  DemandState after(long message, List<JobEvent> events) {
    var open = new LinkedHashSet<>(unfinished);
    // where the service begins again, the numbers of its requests may do so too
    var over = new LinkedHashSet<>(ids.beginsAgain(message) ? Set.of() : completed);
    int named = 0;
    long completion = ids.completion();
    for (var event : events) {
      var key = event.job().key();
      switch (event) {
        case JobEvent.JobAvailable _ -> {}
        case JobEvent.JobAssigned _ -> {
          over.remove(key);
          named += open.add(key) ? 1 : 0;
        }
        case JobEvent.JobStarted _ -> named += !over.contains(key) && open.add(key) ? 1 : 0;
        case JobEvent.JobCompleted _ -> {
          named += open.remove(key) ? 0 : 1;
          over.add(key);
          completion = Math.max(completion, message);
        }
      }
    }
    bound(open, MAX_UNFINISHED);
    bound(over, MAX_COMPLETED);
    var applied = new MessageIds(ids.believed(), Math.max(ids.latest(), message), completion);
    int others = message > ids.latest() ? Math.max(0, unseen - named) : unseen;
    return new DemandState(
        applied, believed, written, open, over, others, offers.after(events), doubt);
  }

  /** Forgets the oldest ones beyond the bound. */
  static void bound(SequencedSet<?> keys, int most) {
    while (keys.size() > most) {
      keys.removeFirst();
    }
  }
}
