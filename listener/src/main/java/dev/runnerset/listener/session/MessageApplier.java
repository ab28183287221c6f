package dev.runnerset.listener.session;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.Statistics;
import dev.runnerset.base.Parallel;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.listener.demand.DemandAction;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.ReadScaleSet;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import dev.runnerset.listener.demand.DemandPlan;
import dev.runnerset.listener.demand.DemandState;
import dev.runnerset.listener.demand.MessagePlanner;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.DesiredState;
import dev.runnerset.listener.session.context.DesiredState.Hold;
import dev.runnerset.listener.session.context.DesiredState.Stop;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.KubeRefusal.Kind;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.LoopExit;
import dev.runnerset.listener.session.context.SetWriter.Marked;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what {@link MessagePlanner} decides, and tries again until it is done: when a method
 * returns, its message is applied (I8). Used by the loop's thread.
 */
final class MessageApplier {
  private static final Logger LOG = LoggerFactory.getLogger(MessageApplier.class);

  private static final Duration FORBIDDEN_WAIT = Duration.ofSeconds(15);

  /**
   * The most writes of one set under way at a time. A message holds at most 50 events (protocol
   * 4.1); more at once would crowd out other sets.
   */
  private static final int MOST_WRITES = 16;

  private final LoopContext context;
  private final Inbox inbox;
  private final SessionStatus status;
  private final SkippedMessages skipped;
  private final DroppedMarks dropped;
  private final KnownMarks marks = new KnownMarks();

  private ListenerSnapshot listener;
  private long epoch;
  private int scaleSetId; // of the message ids in the state; 0 while not known
  private long marksVersion; // the highest of a mark that stands, whoever wrote it; never falls
  private DemandState state = DemandState.NONE;
  private RequeueTime requeueAt = RequeueTime.NEVER;
  private @Nullable SessionFinding notAcquired; // why offered jobs wait

  MessageApplier(LoopContext context, SessionStatus status, ListenerSnapshot listener) {
    this.context = context;
    this.inbox = context.inbox();
    this.status = status;
    this.skipped = new SkippedMessages(context);
    this.dropped = new DroppedMarks(context, status);
    this.listener = listener;
  }

  /** After a take-over: every write from now on tests this fence. */
  void takenOver(ListenerSnapshot by, TakeOver.Fence fence) {
    listener = by;
    epoch = fence.epoch();
    dropped.takenOver();
    var last = fence.demand();
    state = state.takenOver(last == null ? 0 : last.messageId());
    if (last != null && last.scaleSetId() != null) {
      scaleSetId = last.scaleSetId();
    }
    if (last != null && last.marksVersion() != null) {
      marksVersion = Math.max(marksVersion, last.marksVersion());
    }
    requeueAt = RequeueTime.NEVER;
  }

  /** The listener object as it is now; it names the set of the last take-over. */
  void seen(ListenerSnapshot latest) {
    listener = latest;
  }

  /**
   * Messages come from this scale set from now on. What was known of another scale set is
   * forgotten: its jobs, and its message ids, since each scale set counts again.
   */
  void listensTo(int id) {
    if (scaleSetId > 0 && scaleSetId != id) {
      state = DemandState.NONE;
      requeueAt = RequeueTime.NEVER;
    }
    scaleSetId = id;
  }

  /** When {@link #tick} has something to do. */
  RequeueTime requeueAt() {
    return requeueAt.or(skipped.reportUntil()).or(dropped.requeueAt().at());
  }

  /** The latest counts believed, for a session that goes on under a new fence. */
  @Nullable Statistics believed() {
    return state.believed();
  }

  /** A session was opened. Counts that the service did not send are unknown, not zero. */
  void sessionOpened(@Nullable Statistics counts, ActionsService service) {
    carryOut(MessagePlanner.sessionOpened(state, counts, inbox.now()), service);
  }

  void message(Message message, ActionsService service) {
    dropped.pollEnded();
    carryOut(MessagePlanner.message(state, message, inbox.now()), service);
    context.series().counted(ListenerMeter.MESSAGES);
    context.series().received(message, inbox.now());
  }

  /**
   * Acquires what is offered, as far as the capacity has places (DM11). When it returns, the demand
   * tells of what was won.
   *
   * @throws ServiceException when nobody knows what was won: to be tried again
   */
  void acquire(MessageSession session, int capacity, ActionsService service) {
    acquireListed(session, capacity, service);
    if (MessagePlanner.isUnsure(state, capacity)) {
      var counts = read(service);
      if (counts != null && !counts.isAllZero()) {
        carryOut(MessagePlanner.recounted(state, counts, inbox.now()), service);
        acquireListed(session, capacity, service);
      }
    }
    if (notAcquired != null) {
      notAcquired = null;
      reportApplied();
    }
  }

  /**
   * The same before a poll, which goes on without it: else no mark and no count came any more, and
   * the session ended. The set says what is wrong.
   */
  void acquireIfPossible(MessageSession session, int capacity, ActionsService service) {
    try {
      acquire(session, capacity, service);
    } catch (ServiceException e) {
      if (e.error() instanceof ServiceError.SessionLost
          || e.error() instanceof ServiceError.Unauthorized
          || e.error() instanceof ServiceError.Cancelled) {
        throw e;
      }
      notAcquired = SessionFinding.of(e.error());
      reportApplied();
    }
  }

  private void acquireListed(MessageSession session, int capacity, ActionsService service) {
    if (MessagePlanner.isListDue(state, capacity, inbox.now())) {
      state = MessagePlanner.listed(state, list(service), inbox.now());
    }
    acquireKnown(session, capacity, service);
  }

  private void acquireKnown(MessageSession session, int capacity, ActionsService service) {
    while (true) {
      var asked = MessagePlanner.toAcquire(state, capacity);
      if (asked.isEmpty()) {
        return;
      }
      var won = acquire(session, asked);
      called();
      asked.forEach(id ->
          context
              .series()
              .counted(ListenerMeter.OFFERED_JOBS, won.contains(id) ? "acquired" : "not_won"));
      carryOut(MessagePlanner.acquired(state, asked, won, inbox.now()), service);
    }
  }

  /** The loop goes on, unless somebody wants it to end. */
  private void called() {
    inbox.progress();
    exitIfAsked();
  }

  /** A refusal of these jobs must not hold up the queue: the offers are listed again. */
  private static Set<Long> acquire(MessageSession session, List<Long> asked) {
    try {
      return session.acquire(asked);
    } catch (ServiceException e) {
      return switch (e.error()) {
        case ServiceError.Refused _,
            ServiceError.Malformed _,
            ServiceError.Conflict _,
            ServiceError.Forbidden _,
            ServiceError.NotFound _ -> {
          LOG.atWarn()
              .addKeyValue("requests", asked)
              .addKeyValue("why", e.getMessage())
              .log("offered jobs could not be acquired");
          yield Set.of();
        }
        default -> throw e;
      };
    }
  }

  private @Nullable List<JobDescription> list(ActionsService service) {
    called();
    try {
      return service.acquirableJobs(new ScaleSetId(listener.spec().scaleSetId()));
    } catch (ServiceException e) {
      LOG.atInfo().addKeyValue("why", e.getMessage()).log("offered jobs could not be listed");
      return null; // offers come as messages, too
    }
  }

  /** The last message is acknowledged, and a poll for the next one begins. */
  void pollBegan() {
    dropped.pollBegan();
    var plan = MessagePlanner.pollBegan(state, inbox.now());
    state = plan.next();
    requeueAt = plan.requeueAt();
  }

  /** Whether the message must be asked for again, since a part of it could not be read. */
  boolean isToBeReadAgain(Message message) {
    return skipped.isToBeReadAgain(message);
  }

  /** The message is about to be acknowledged, even if not all of it could be read. */
  void acknowledging(Message message) {
    if (skipped.given(message, listener)) {
      reportApplied();
    }
  }

  void tick(ActionsService service) {
    dropped.tick();
    var until = skipped.reportUntil();
    if (until != null && !inbox.now().isBefore(until)) {
      skipped.reported();
      reportApplied();
    }
    var due = requeueAt.at();
    if (due != null && !inbox.now().isBefore(due)) {
      carryOut(MessagePlanner.tick(state, inbox.now()), service);
    }
  }

  private void carryOut(DemandPlan plan, ActionsService service) {
    var readScaleSet = false;
    for (var step : plan.steps()) {
      readScaleSet |= step.contains(new ReadScaleSet());
      carryOut(step.stream().filter(a -> !(a instanceof ReadScaleSet)).toList());
    }
    state = plan.next();
    var believed = state.believed();
    if (believed != null) {
      context.series().believed(believed, inbox.now());
    }
    requeueAt = plan.requeueAt();
    if (readScaleSet) {
      carryOut(MessagePlanner.scaleSetRead(state, read(service), inbox.now()), service);
    }
  }

  private @Nullable Statistics read(ActionsService service) {
    try {
      return service
          .scaleSet(new ScaleSetId(listener.spec().scaleSetId()))
          .map(set -> set.statistics())
          .orElse(null);
    } catch (ServiceException e) {
      return null; // zeros that were withheld are believed (DM4), else it is read again (DM2)
    }
  }

  private void carryOut(List<DemandAction> step) {
    var backoff = new LoopBackoff(context.random());
    var open = step;
    while (!open.isEmpty()) {
      var refused = attempt(open).stream().filter(this::isOpen).toList();
      open = refused.stream().map(Outcome::action).toList();
      if (!refused.isEmpty()) {
        // of each one: a demand that is refused may show that another holder has the fence
        var findings = refused.stream().map(this::finding).toList();
        var refusal = Objects.requireNonNull(refused.getLast().refusal());
        status.notApplied(findings.getLast());
        boolean deleting = isDeleting();
        inbox.pause(
            backoff.next(refusal.kind() == Kind.FORBIDDEN ? FORBIDDEN_WAIT : null),
            desired -> mustExit(desired) || isDeleting() != deleting);
        exitIfAsked();
      }
    }
    dropped.report();
    if (!step.isEmpty() && status.isNotApplied()) {
      reportApplied();
    }
  }

  /** All is applied, but for parts that were skipped a short time ago. */
  private void reportApplied() {
    var given = notAcquired != null ? notAcquired : skipped.toTell();
    if (given == null) {
      status.applied();
    } else {
      status.notApplied(given);
    }
  }

  /**
   * What became of one write.
   *
   * @param marked of a mark that was written; null for another registration's, which was not
   *     written or taken back, and for a demand
   * @param refusal why it was not carried out, or null
   */
  private record Outcome(
      DemandAction action, @Nullable Marked marked, @Nullable KubeRefusal refusal) {}

  /** Writes what the actions say; what became of each, in their order. */
  private List<Outcome> attempt(List<DemandAction> actions) {
    try {
      var tasks = actions.stream().<Callable<Outcome>>map(a -> () -> write(a)).toList();
      return Parallel.runOrCancel(context.cluster().threads(), MOST_WRITES, tasks).stream()
          .map(MessageApplier::outcome)
          .toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoopExit(LoopExit.Why.STOP);
    }
  }

  private static Outcome outcome(Parallel.Result<Outcome> result) {
    return switch (result) {
      case Parallel.Result.Done<Outcome>(var outcome) -> outcome;
      case Parallel.Result.Failed<Outcome>(RuntimeException cause) -> throw cause;
      case Parallel.Result.Failed<Outcome>(Error cause) -> throw cause;
      case Parallel.Result.Failed<Outcome>(var cause) -> throw new IllegalStateException(cause);
      case Parallel.Result.Unknown<Outcome> _ -> throw new LoopExit(LoopExit.Why.STOP);
    };
  }

  private Outcome write(DemandAction action) {
    var target = listener.spec().runnerSet();
    var writer = context.cluster().writer();
    @Nullable Marked marked = null;
    try {
      if (action instanceof WriteDemand demand) {
        writer.writeDemand(listener, epoch, scaleSetId, marksVersion, demand);
      } else if (action instanceof Mark mark && !marks.isLate(mark)) {
        marked = writer.mark(target, mark, marks.standing(mark.runnerName()));
      }
      return new Outcome(action, marked, null);
    } catch (KubeRefusal e) {
      return new Outcome(action, null, e);
    } finally {
      inbox.progress();
    }
  }

  /** Notes what became of a write; whether it must be tried again. */
  private boolean isOpen(Outcome outcome) {
    var refusal = outcome.refusal();
    if (refusal == null) {
      if (outcome.action() instanceof Mark mark) {
        marked(mark, outcome.marked());
      }
      return false;
    }
    context.series().refused(refusal.kind());
    if (isDeleting() && refusal.kind() == Kind.FORBIDDEN) {
      return false; // the role went before, as with the namespace, and no runner is left to mark
    }
    if (outcome.action() instanceof Mark mark && refusal.kind() == Kind.GONE) {
      dropped.withoutRunner(mark);
      return false;
    }
    // also a 422 of a mark, as of an admission policy: no mark is lost; but a set that is deleted
    // with its listener needs no demand any more
    return refusal.kind() != Kind.GONE || !isDeleting();
  }

  private void marked(Mark mark, @Nullable Marked marked) {
    if (marked != null && marked.stands()) {
      marks.stands(mark);
      marksVersion = Math.max(marksVersion, marked.version());
    } else {
      dropped.ofOtherRegistration(mark);
    }
  }

  private boolean isDeleting() {
    return inbox.desired() instanceof Hold(var latest) && latest.deleting();
  }

  private boolean mustExit(DesiredState desired) {
    return switch (desired) {
      // with its listener object a set is gone that could need a write
      case Stop(var reason) -> reason == StopReason.LEASE_LOST || reason == StopReason.GONE;
      case Hold(var latest) -> !latest.sameTarget(listener);
    };
  }

  private void exitIfAsked() {
    if (mustExit(inbox.desired())) {
      throw new LoopExit(
          inbox.desired() instanceof Stop ? LoopExit.Why.STOP : LoopExit.Why.TARGET_CHANGED);
    }
  }

  /**
   * What is reported of an action that was refused and stays open.
   *
   * @throws LoopExit when the refusal shows that another holder has the fence
   */
  private SessionFinding finding(Outcome refused) {
    var refusal = Objects.requireNonNull(refused.refusal());
    if (refusal.kind() != Kind.TEST_FAILED) {
      return SessionFinding.of(refusal);
    }
    if (refused.action() instanceof Mark) {
      return SessionFinding.markRefused(refusal);
    }
    try {
      status.exitIfFenced();
      return SessionFinding.of(refusal);
    } catch (KubeRefusal e) {
      return SessionFinding.of(e); // not known: the write is tried again, and its test too
    }
  }
}
