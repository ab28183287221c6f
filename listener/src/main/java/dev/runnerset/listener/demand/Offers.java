package dev.runnerset.listener.demand;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.Statistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The jobs of a service that offers them to be acquired (DM11), by the number of their request.
 * Where the service assigns jobs by itself it stays empty, and changes no count.
 *
 * @param known offered and not asked for yet, the oldest first; at most {@link #MOST}
 * @param open acquired or assigned, and not heard to be started or over: each needs a runner; at
 *     most {@link #MOST}, the oldest are forgotten first
 * @param complete whether {@code open} surely has each job that needs a runner: not so after a
 *     start beside jobs of before, and after a request whose answer was lost, until the counts tell
 * @param reserved places that jobs may take which are not in the counts: the ids of acquired jobs
 *     are not all known, or a job that was asked for and not won may have been won by a request
 *     whose answer was lost; until the next counts
 * @param heard whether a job was offered since the session was opened
 * @param stale whether a job was asked for and not won since the list was read: others that are
 *     known may have been acquired by another set, too
 * @param listAt when the list of offers may be read, in case that one was lost
 */
public record Offers(
    SequencedSet<Long> known,
    SequencedSet<Long> open,
    boolean complete,
    int reserved,
    boolean heard,
    boolean stale,
    Instant listAt) {
  /** The most jobs remembered of each kind. */
  public static final int MOST = 2_000;

  /** The most jobs of one request; a message has no more either (protocol 4.1). */
  static final int MOST_ASKED = 50;

  /** The least time between two readings of the list. */
  public static final Duration LIST_AGAIN = Duration.ofSeconds(30);

  /** The same after an empty one: a service that assigns jobs by itself has no other. */
  static final Duration EMPTY_LIST_AGAIN = Duration.ofMinutes(10);

  /** Nothing heard. */
  static final Offers NONE =
      new Offers(new LinkedHashSet<>(), new LinkedHashSet<>(), false, 0, false, false, Instant.MIN);

  /** Keeps the order of the jobs. */
  public Offers {
    known = copy(known);
    open = copy(open);
  }

  private static SequencedSet<Long> copy(Collection<Long> ids) {
    return Collections.unmodifiableSequencedSet(new LinkedHashSet<>(ids));
  }

  /** Another session was opened: the service may be of the other flavour now (protocol 0). */
  Offers opened() {
    return new Offers(known, open, complete, reserved, false, stale, Instant.MIN);
  }

  /**
   * After the events of a message. What was acquired is not offered by a message that comes again.
   */
  Offers after(List<JobEvent> events) {
    var offered = new LinkedHashSet<>(known);
    var waiting = new LinkedHashSet<>(open);
    var any = heard;
    for (var event : events) {
      long id = event.job().runnerRequestId();
      offered.remove(id);
      switch (event) {
        case JobEvent.JobAvailable _ -> {
          any = true;
          if (id > 0 && !waiting.contains(id) && offered.size() < MOST) {
            offered.add(id);
          }
        }
        case JobEvent.JobAssigned _ -> {
          if (id > 0) {
            waiting.add(id);
          }
        }
        case JobEvent.JobStarted _, JobEvent.JobCompleted _ -> waiting.remove(id);
      }
    }
    DemandState.bound(waiting, MOST);
    return new Offers(
        offered, waiting, complete, reserved, any, stale, any == heard ? listAt : Instant.MIN);
  }

  /**
   * The counts with all jobs that need a runner, or have one, as assigned ones. It is not known
   * whether the service counts acquired jobs among the assigned ones: the jobs known tell, within
   * what either way of counting allows. Counts that were counted so before stay as they are.
   */
  Statistics counted(Statistics heardCounts) {
    int acquired = heardCounts.acquired();
    int waiting = Math.max(0, heardCounts.assigned() - heardCounts.running());
    int needed = Math.clamp(open.size(), acquired, acquired + waiting);
    return counts(
        heardCounts,
        heardCounts.available(),
        Math.max(heardCounts.assigned(), heardCounts.running() + needed));
  }

  private static Statistics counts(Statistics of, int available, int assigned) {
    return new Statistics(
        available, 0, assigned, of.running(), of.registered(), of.busy(), of.idle());
  }

  /**
   * After these counts. If nothing waits for a runner by them, no job is open, whatever was heard;
   * if none is available, none is offered any more.
   */
  Offers settledBy(Statistics counts) {
    int waiting = counts.assigned() - counts.running();
    int most = counts.assigned() + counts.acquired();
    boolean any = most > counts.running();
    boolean agree = open.size() == waiting;
    // with acquired ones among the counts, as many may be others: one acquired, one assigned before
    boolean all = complete || !any || (agree && counts.acquired() == 0);
    int missing = all && agree ? 0 : Math.max(0, most - counted(counts).assigned());
    return new Offers(
        counts.available() > 0 ? known : new LinkedHashSet<>(),
        any ? open : new LinkedHashSet<>(),
        all,
        missing,
        heard,
        stale,
        listAt);
  }

  /** With so many places held at least: the counts are older than what was asked for. */
  Offers reserving(int places) {
    return new Offers(known, open, complete, Math.max(reserved, places), heard, stale, listAt);
  }

  /** What to ask for: the oldest, as many as there are places. */
  List<Long> toAcquire(int places) {
    return known.stream().limit(Math.clamp(places, 0, MOST_ASKED)).toList();
  }

  /** Whether to read the list: jobs are available, and no offer is known that surely stands. */
  boolean isListDue(Statistics counts, int places, Instant now) {
    return places > 0
        && counts.available() > 0
        && (known.isEmpty() || stale)
        && !now.isBefore(listAt);
  }

  /**
   * The list was read: it has all offers. One that it lacks may have been won by a request whose
   * answer was lost.
   */
  Offers listed(List<JobDescription> jobs, Instant now) {
    var ids = jobs.stream().map(JobDescription::runnerRequestId).filter(id -> id > 0).limit(MOST);
    var offered = new LinkedHashSet<>(ids.toList());
    boolean any = heard || !offered.isEmpty();
    int lost = without(known, offered).size();
    return new Offers(
        offered,
        without(open, offered),
        complete && lost == 0,
        reserved + lost,
        any,
        false,
        now.plus(any ? LIST_AGAIN : EMPTY_LIST_AGAIN));
  }

  /** The list could not be read. */
  Offers notListed(Instant now) {
    return new Offers(known, open, complete, reserved, heard, stale, now.plus(LIST_AGAIN));
  }

  /** The request was answered. What was asked for and not won is not asked for again. */
  Offers acquired(List<Long> asked, Set<Long> won) {
    var waiting = new LinkedHashSet<>(open);
    var ours = asked.stream().filter(won::contains).toList();
    waiting.addAll(ours);
    int lost = asked.size() - ours.size();
    return new Offers(
        without(known, Set.copyOf(asked)),
        waiting,
        complete && lost == 0,
        reserved + lost,
        heard,
        stale || lost > 0,
        listAt);
  }

  private static SequencedSet<Long> without(Collection<Long> ids, Set<Long> gone) {
    return copy(ids.stream().filter(Predicate.not(gone::contains)).toList());
  }

  /** Counts of zeros, but for the jobs that the message itself offers. */
  static Statistics available(List<JobEvent> events) {
    long offered = events.stream().filter(JobEvent.JobAvailable.class::isInstance).count();
    return counts(Statistics.ZERO, (int) offered, 0);
  }

  /** The counts after so many of the available jobs were acquired. */
  static Statistics acquiring(Statistics counts, int jobs) {
    return counts(counts, Math.max(0, counts.available() - jobs), counts.assigned() + jobs);
  }
}
