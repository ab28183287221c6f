package dev.runnerset.listener.demand;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.base.Backoff;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.ReadScaleSet;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import dev.runnerset.listener.demand.DemandState.Ahead;
import dev.runnerset.listener.demand.DemandState.Doubt;
import dev.runnerset.listener.demand.DemandState.Unread;
import dev.runnerset.listener.demand.DemandState.Written;
import dev.runnerset.listener.demand.DemandState.Zeros;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a message changes (DM1, DM2, DM4, DM10, DM11).
 *
 * <ol>
 *   <li>Demand that rises, and all marks, are written at once and in parallel.
 *   <li>Any other demand is written after the marks of the message stand on their runners, and
 *       bears their version (docs/adr/0053).
 *   <li>A message with a completion raises {@code demand.messageId}, even if the counts are equal,
 *       but only together with counts that reckon with the completion. Else the runners would be
 *       released while the old counts still ask for them, and others would be made in their place
 *       (docs/adr/0012).
 *   <li>Otherwise demand is written on change: a new number of assigned jobs at once, other counts
 *       of jobs when they have differed for {@link #QUIET}, of runners for {@link
 *       #QUIET_OF_RUNNERS}.
 *   <li>All-zero statistics are withheld while jobs are known to be unfinished, for at most {@link
 *       #DOUBT}. Then the scale set is read. Jobs that their own message offers are available.
 *   <li>The statistics of a full message may reckon with completions that come in later messages:
 *       its number of assigned jobs falls by no more than the completions in it, until the next
 *       message comes, or a poll has waited for it for {@link #AHEAD}.
 *   <li>A message without statistics leaves the last ones in force.
 *   <li>Jobs that the service offers are acquired, the oldest first, as many as there are places;
 *       what is won counts as assigned at once (DM11).
 *   <li>If no statistics were ever heard, the scale set is read until it has some.
 * </ol>
 */
public final class MessagePlanner {
  /** How long all-zero statistics are doubted (DM4). */
  public static final Duration DOUBT = Duration.ofSeconds(60);

  /** How long a poll waits for a message before the counts of a full one are believed (DM10). */
  public static final Duration AHEAD = Duration.ofSeconds(2);

  /** How long other counts of jobs than assigned differ before they are written (DM2). */
  public static final Duration QUIET = Duration.ofSeconds(2);

  /** The same of counts of runners alone: one that starts changes them three times (DM2). */
  public static final Duration QUIET_OF_RUNNERS = Duration.ofSeconds(4);

  /** The waits before a scale set that could not be read is read again (DM2). */
  private static final Backoff READ_AGAIN =
      Backoff.of(Duration.ofSeconds(2), Duration.ofSeconds(60));

  private MessagePlanner() {}

  /**
   * A session was opened: its statistics are written whatever was written before (DM2).
   *
   * @param counts null when the service sent none: then the counts last believed are written, and
   *     if there are none the scale set is read
   */
  public static DemandPlan sessionOpened(
      DemandState state, @Nullable Statistics counts, Instant now) {
    var heard = hear(state.withOffers(state.offers().opened()), counts, now);
    if (counts == null && heard.believed() == null) {
      return readScaleSet(heard, heard);
    }
    var believed = heard.believed() == null ? Statistics.ZERO : heard.believed();
    return write(heard, believed, now, List.of());
  }

  /** A message arrived. */
  public static DemandPlan message(DemandState state, Message message, Instant now) {
    long number = state.ids().number(message.messageId());
    return writeIfDue(hear(state, message, number, now), now, marks(message, number));
  }

  /** The places of a capacity that no job has or waits for; 0 while the counts are not known. */
  private static int places(DemandState state, int capacity) {
    return state.believed() == null ? 0 : capacity - state.believed().assigned();
  }

  /**
   * Whether other counts, as of the scale set, could tell of places for known offers: some are held
   * for jobs that may be ours. Not while counts run ahead of messages that come next.
   */
  public static boolean isUnsure(DemandState state, int capacity) {
    int places = places(state, capacity);
    return places > 0
        && places <= state.offers().reserved()
        && !state.offers().known().isEmpty()
        && !(state.doubt() instanceof Ahead);
  }

  /**
   * The offers to acquire now, by the number of their request (DM11); none when there is nothing to
   * ask for.
   *
   * @param capacity the one that the service was told, or is told next
   */
  public static List<Long> toAcquire(DemandState state, int capacity) {
    return state.offers().toAcquire(places(state, capacity) - state.offers().reserved());
  }

  /** The offers that were asked for, and those of them that the set has now. */
  public static DemandPlan acquired(
      DemandState state, List<Long> asked, Set<Long> won, Instant now) {
    return writeIfDue(state.acquired(asked, won), now, List.of());
  }

  /** Whether to read the list of offers, and give it to {@link #listed}. */
  public static boolean isListDue(DemandState state, int capacity, Instant now) {
    var counts = state.believed();
    return counts != null && state.offers().isListDue(counts, places(state, capacity), now);
  }

  /**
   * The list of offers was read.
   *
   * @param offers null when it could not be read
   */
  public static DemandState listed(
      DemandState state, @Nullable List<JobDescription> offers, Instant now) {
    return state.withOffers(
        offers == null ? state.offers().notListed(now) : state.offers().listed(offers, now));
  }

  /**
   * All of the last message is applied, and a poll for the next one begins. Before that nothing can
   * be known of the next one, however long the marks of the last one took.
   */
  public static DemandPlan pollBegan(DemandState state, Instant now) {
    var next =
        state.doubt() instanceof Ahead(var counts, _)
            ? state.doubting(new Ahead(counts, now.plus(AHEAD)))
            : state;
    return new DemandPlan(List.of(), next, requeueAt(next));
  }

  /** The time {@link DemandPlan#requeueAt} has come. */
  public static DemandPlan tick(DemandState state, Instant now) {
    return switch (state.doubt()) {
      case Unread(_, var at) when !now.isBefore(at) -> readScaleSet(state, state);
      case Zeros(var since) when !now.isBefore(since.plus(DOUBT)) ->
          readScaleSet(state, state.doubting(new Zeros(now)));
      case Ahead(var counts, var at) when at != null && !now.isBefore(at) ->
          writeIfDue(reserving(hear(state, counts, now), state), now, List.of());
      case null, default -> writeIfDue(state, now, List.of());
    };
  }

  /** These counts are older than what was asked for since: the places stay held. */
  private static DemandState reserving(DemandState next, DemandState before) {
    return next.withOffers(next.offers().reserving(before.offers().reserved()));
  }

  /**
   * The scale set was read for what it says of acquired jobs, after {@link #isUnsure}. Messages may
   * be on their way that it reckons with, so the demand does not fall before they come (DM10).
   */
  public static DemandPlan recounted(DemandState state, Statistics counts, Instant now) {
    var before = state.believed();
    int least = before == null ? 0 : before.assigned();
    return writeIfDue(state.believing(counts).atLeast(least), now, List.of());
  }

  /** Reads it, and comes back at the time of the other state if no answer does. */
  private static DemandPlan readScaleSet(DemandState state, DemandState unanswered) {
    return new DemandPlan(List.of(List.of(new ReadScaleSet())), state, requeueAt(unanswered));
  }

  /**
   * The scale set was read, after {@link ReadScaleSet}.
   *
   * @param counts its statistics; null when it could not be read: then zeros that were withheld are
   *     believed; without any, the scale set is read again later
   */
  public static DemandPlan scaleSetRead(
      DemandState state, @Nullable Statistics counts, Instant now) {
    if (counts == null && !(state.doubt() instanceof Zeros)) {
      var unread = state.doubting(readAgain(state.doubt(), now));
      return new DemandPlan(List.of(), unread, requeueAt(unread));
    }
    var believed = counts == null ? Statistics.ZERO : counts;
    var next = (believed.isAllZero() ? state.forgettingJobs() : state).believing(believed);
    return writeIfDue(next, now, List.of());
  }

  private static Unread readAgain(@Nullable Doubt before, Instant now) {
    int failures = before instanceof Unread(var times, _) ? times + 1 : 1;
    return new Unread(failures, now.plus(READ_AGAIN.after(failures)));
  }

  private static DemandState hear(DemandState before, Message message, long number, Instant now) {
    var state = before.after(number, message.events());
    var heardCounts = message.statistics();
    var believed = before.believed();
    if (heardCounts != null && heardCounts.isAllZero() && state.isIdle()) {
      return state.believing(Offers.available(message.events()));
    }
    if (heardCounts == null || heardCounts.isAllZero() || believed == null || !message.full()) {
      return hear(state, heardCounts, now);
    }
    var isNew = number > before.ids().latest();
    long over =
        isNew
            ? message.events().stream().filter(JobEvent.JobCompleted.class::isInstance).count()
            : 0;
    return state.believing(heardCounts).atLeast(believed.assigned() - (int) over);
  }

  private static DemandState hear(DemandState state, @Nullable Statistics counts, Instant now) {
    if (counts == null) {
      var zeroHolds = state.doubt() instanceof Zeros && state.isIdle();
      return zeroHolds ? state.believing(Statistics.ZERO) : state;
    }
    if (counts.isAllZero() && !state.isIdle()) {
      return state.doubt() instanceof Zeros ? state : state.doubting(new Zeros(now));
    }
    return state.believing(counts);
  }

  private static DemandPlan writeIfDue(
      DemandState state, Instant now, List<List<DemandAction>> marks) {
    var counts = state.believed();
    var next = counts == null ? state : noting(state, counts, now);
    return counts == null || !isDue(next, counts, now)
        ? new DemandPlan(marks, next, requeueAt(next))
        : write(next, counts, now, marks);
  }

  /** Notes when counts are written that differ from those that were. */
  private static DemandState noting(DemandState state, Statistics counts, Instant now) {
    var written = state.written();
    if (written == null) {
      return state;
    }
    var before = written.dueAt();
    Instant due = null;
    if (differs(written.counts(), counts)) {
      due = now.plus(jobsDiffer(written.counts(), counts) ? QUIET : QUIET_OF_RUNNERS);
      due = before != null && before.isBefore(due) ? before : due;
    }
    return state.withWritten(new Written(written.messageId(), written.counts(), due));
  }

  private static boolean isDue(DemandState state, Statistics counts, Instant now) {
    var written = state.written();
    return scales(state, counts)
        || (written != null && written.dueAt() != null && !now.isBefore(written.dueAt()));
  }

  /** Whether another number of runners is wanted, or runners wait to be released. */
  private static boolean scales(DemandState state, Statistics counts) {
    var written = state.written();
    long completion = state.ids().completion();
    return written == null
        || written.counts().assigned() != counts.assigned()
        || (completion > written.messageId() && state.ids().believed() >= completion);
  }

  private static DemandPlan write(
      DemandState state, Statistics counts, Instant now, List<List<DemandAction>> marks) {
    var written = state.written();
    // an id that releases nobody would only make all runners be viewed again; but before the first
    // completion of a session, one of the session before may have waited for its counts
    boolean keepsId = state.ids().completion() > 0 && !scales(state, counts);
    long id = written != null && keepsId ? written.messageId() : state.ids().believed();
    DemandAction demand = new WriteDemand(id, counts, now);
    var next = state.withWritten(new Written(id, counts, null));
    boolean rises = written != null && counts.assigned() > written.counts().assigned();
    var steps = new ArrayList<>(marks);
    if (!rises || steps.isEmpty()) {
      steps.add(List.of(demand));
    } else {
      steps.set(0, Stream.concat(Stream.of(demand), steps.getFirst().stream()).toList());
    }
    return new DemandPlan(steps, next, requeueAt(next));
  }

  private static RequeueTime requeueAt(DemandState state) {
    return switch (state.doubt()) {
      case Unread(_, var at) -> RequeueTime.at(at); // nothing was ever heard, so nothing else waits
      // other counts may wait too, but not longer than the doubt lasts
      case Zeros(var since) -> quietEnds(state).or(since.plus(DOUBT));
      case Ahead(_, var at) -> quietEnds(state).or(at);
      case null -> quietEnds(state);
    };
  }

  private static RequeueTime quietEnds(DemandState state) {
    return RequeueTime.at(state.written() == null ? null : state.written().dueAt());
  }

  /** Whether a count that demand carries is another one. */
  private static boolean differs(Statistics one, Statistics other) {
    return jobsDiffer(one, other)
        || one.registered() != other.registered()
        || one.busy() != other.busy()
        || one.idle() != other.idle();
  }

  private static boolean jobsDiffer(Statistics one, Statistics other) {
    return one.assigned() != other.assigned()
        || one.running() != other.running()
        || one.available() + one.acquired() != other.available() + other.acquired();
  }

  /**
   * The marks of a message, in steps: one for each registration, since a completion repeats what
   * the start said. A second registration of the same name waits for the next step: two marks on
   * one object at a time could wipe each other.
   */
  private static List<List<DemandAction>> marks(Message message, long number) {
    var markByRegistration = new LinkedHashMap<Registration, Mark>();
    for (var event : message.events()) {
      switch (event) {
        case JobEvent.JobAvailable _, JobEvent.JobAssigned _ -> {}
        case JobEvent.JobStarted(var job, var id, var name) ->
            markByRegistration.put(new Registration(name, id), Mark.started(name, id, job));
        case JobEvent.JobCompleted(var job, var result, var id, var name) -> {
          if (!name.isEmpty()) { // else no runner ever took it (protocol 4.3)
            markByRegistration.put(
                new Registration(name, id), Mark.completed(name, id, job, result, number));
          }
        }
      }
    }
    var steps = new ArrayList<List<DemandAction>>();
    var stepByName = new HashMap<String, Integer>();
    for (var mark : markByRegistration.values()) {
      int step = stepByName.merge(mark.runnerName(), 0, (before, _) -> before + 1);
      if (step == steps.size()) {
        steps.add(new ArrayList<>());
      }
      steps.get(step).add(mark);
    }
    return steps;
  }

  /** A name, and which of its registrations. */
  private record Registration(String name, RunnerId id) {}
}
