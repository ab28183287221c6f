package dev.runnerset.listener.session;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.Statistics;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.listener.demand.DemandAction;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.ReadScaleSet;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import dev.runnerset.listener.demand.DemandPlan;
import dev.runnerset.listener.demand.DemandState;
import dev.runnerset.listener.demand.MessagePlanner;
import dev.runnerset.listener.session.DesiredState.Hold;
import dev.runnerset.listener.session.DesiredState.Stop;
import dev.runnerset.listener.session.DesiredState.StopReason;
import dev.runnerset.listener.session.KubeRefusal.Kind;
import dev.runnerset.listener.session.ListenerCounters.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what {@link MessagePlanner} decides, again and again until it is done: what returns
 * was applied (I8). Used by one thread.
 */
final class MessageApplier {
  private static final Duration FORBIDDEN_WAIT = Duration.ofSeconds(15);

  private final LoopContext world;
  private final InboxWait waits;
  private final SessionStatus status;
  private final SkippedMessages skipped;

  private ListenerSnapshot listener;
  private long epoch;
  private int scaleSetId; // of the message ids in the state; 0 while not known
  private DemandState state = DemandState.NONE;
  private @Nullable Instant requeueAt;

  MessageApplier(
      LoopContext world,
      InboxWait waits,
      SessionStatus status,
      SkippedMessages skipped,
      ListenerSnapshot listener) {
    this.world = world;
    this.waits = waits;
    this.status = status;
    this.skipped = skipped;
    this.listener = listener;
  }

  /** A take-over: every write from now on tests this fence. */
  void takenOver(ListenerSnapshot by, TakeOver.Fence fence) {
    listener = by;
    epoch = fence.epoch();
    state = state.takenOver(fence.messageId());
    scaleSetId = fence.scaleSetId() > 0 ? fence.scaleSetId() : scaleSetId;
    requeueAt = null;
  }

  /** The listener object as it is now; its target is that of the last take-over. */
  void seen(ListenerSnapshot latest) {
    listener = latest;
  }

  /**
   * From now on this scale set is listened to. What was known of another one's jobs is forgotten,
   * and so are its message ids, since those of each scale set begin anew.
   */
  void listensTo(int id) {
    if (scaleSetId > 0 && scaleSetId != id) {
      state = DemandState.NONE;
      requeueAt = null;
    }
    scaleSetId = id;
  }

  /** When {@link #tick} wants to be called, or null. */
  @Nullable Instant requeueAt() {
    var told = skipped.tellUntil();
    return requeueAt == null || (told != null && told.isBefore(requeueAt)) ? told : requeueAt;
  }

  /** The latest counts believed, for a session that goes on under a new fence. */
  @Nullable Statistics believed() {
    return state.believed();
  }

  /** A session was opened; counts that the service did not send are unknown, not zero. */
  void sessionOpened(@Nullable Statistics counts, ActionsService service) {
    carryOut(MessagePlanner.sessionOpened(state, counts, waits.now()), service);
  }

  void message(Message message, ActionsService service) {
    carryOut(MessagePlanner.message(state, message, waits.now()), service);
    world.counters().add(Count.MESSAGES);
  }

  /** The message is about to be acknowledged, whether or not all of it could be read. */
  void acknowledging(Message message) {
    if (skipped.given(message, listener)) {
      tellApplied();
    }
  }

  void tick(ActionsService service) {
    var told = skipped.tellUntil();
    if (told != null && !waits.now().isBefore(told)) {
      skipped.told();
      tellApplied();
    }
    if (requeueAt != null && !waits.now().isBefore(requeueAt)) {
      carryOut(MessagePlanner.tick(state, waits.now()), service);
    }
  }

  private void carryOut(DemandPlan plan, ActionsService service) {
    var readScaleSet = false;
    for (var step : plan.steps()) {
      readScaleSet |= step.contains(new ReadScaleSet());
      carryOut(step.stream().filter(a -> !(a instanceof ReadScaleSet)).toList());
    }
    state = plan.next();
    requeueAt = plan.requeueAt();
    if (readScaleSet) {
      carryOut(MessagePlanner.scaleSetRead(state, read(service), waits.now()), service);
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
    var backoff = new LoopBackoff(world.random());
    var open = step;
    while (!open.isEmpty()) {
      var refusals = attempt(open);
      var next = new ArrayList<DemandAction>();
      @Nullable KubeRefusal worst = null;
      for (int i = 0; i < open.size(); i++) {
        var refusal = refusals.get(i).refusal();
        if (refusal != null && isOpen(open.get(i), refusal)) {
          next.add(open.get(i));
          worst = refusal;
        }
      }
      open = next;
      if (worst != null) {
        report(worst);
        waits.pause(
            backoff.next(worst.kind() == Kind.FORBIDDEN ? FORBIDDEN_WAIT : null), this::mustLeave);
        leaveIfWished();
      }
    }
    if (!step.isEmpty() && status.isFalse(Conditions.APPLIED)) {
      tellApplied();
    }
  }

  /** All is applied, but for what was skipped a short while ago. */
  private void tellApplied() {
    var given = skipped.toTell();
    if (given == null) {
      status.good(Conditions.APPLIED, "Applied", "", listener, waits.now());
    } else {
      status.bad(Conditions.APPLIED, given, listener, waits.now());
    }
    flushQuietly();
  }

  /** What became of one action; null means done. */
  private record Attempt(@Nullable KubeRefusal refusal) {}

  private List<Attempt> attempt(List<DemandAction> actions) {
    try {
      return world
          .parallel()
          .run(actions.stream().<Callable<Attempt>>map(a -> () -> attempt(a)).toList());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoopExit(LoopExit.Why.STOP);
    }
  }

  private Attempt attempt(DemandAction action) {
    var target = listener.spec().runnerSet();
    try {
      switch (action) {
        case WriteDemand demand -> world.writer().writeDemand(target, epoch, scaleSetId, demand);
        case Mark mark -> mark(target, mark);
        case ReadScaleSet() -> {}
      }
      return new Attempt(null);
    } catch (KubeRefusal e) {
      return new Attempt(e);
    }
  }

  private void mark(ListenerTarget target, Mark mark) {
    if (!world.writer().mark(target, mark)) {
      world.counters().add(Count.FOREIGN_MARKS);
    }
  }

  /** Whether a refused action is still to be done. */
  private boolean isOpen(DemandAction action, KubeRefusal refusal) {
    if (action instanceof Mark) {
      if (refusal.kind() == Kind.GONE) {
        world.counters().add(Count.MARKS_WITHOUT_RUNNER);
        return false;
      }
      return true;
    }
    if (refusal.kind() == Kind.TEST_FAILED) {
      leaveIfFenced();
    }
    // a set that goes with its listener needs no demand any more
    return refusal.kind() != Kind.GONE || !isDeleting();
  }

  /** A failed test means another holder, unless the set object is not the one we listen for. */
  private void leaveIfFenced() {
    try {
      var there = world.writer().readFence(listener.spec().runnerSet());
      if (there.uid().equals(listener.spec().runnerSet().uid()) && there.epoch() != epoch) {
        throw new LoopExit(LoopExit.Why.FENCED);
      }
    } catch (KubeRefusal e) {
      // not known yet: the write is tried again, and tested again
    }
  }

  private boolean isDeleting() {
    return waits.wish() instanceof Hold(var latest) && latest.deleting();
  }

  private boolean mustLeave(DesiredState wish) {
    return switch (wish) {
      case Stop(var reason) -> reason == StopReason.LEASE_LOST;
      case Hold(var latest) -> !latest.spec().runnerSet().equals(listener.spec().runnerSet());
    };
  }

  private void leaveIfWished() {
    if (mustLeave(waits.wish())) {
      throw new LoopExit(
          waits.wish() instanceof Stop ? LoopExit.Why.STOP : LoopExit.Why.TARGET_CHANGED);
    }
  }

  private void report(KubeRefusal refusal) {
    var advice =
        switch (refusal.kind()) {
          case GONE, TEST_FAILED -> "; waiting for the controller to name the present set object";
          case FORBIDDEN ->
              "; bind the listener's role in the namespace of the set (patch on"
                  + " ephemeralrunners/status and ephemeralrunnersets/status)";
          case STALE, UNAVAILABLE -> "; tried again";
        };
    var reason =
        switch (refusal.kind()) {
          case GONE, TEST_FAILED -> "RunnerSetGone";
          case FORBIDDEN -> "Forbidden";
          case STALE, UNAVAILABLE -> "Unavailable";
        };
    var finding = new Finding(reason, reason, refusal.getMessage() + advice);
    status.bad(Conditions.APPLIED, finding, listener, waits.now());
    flushQuietly();
  }

  private void flushQuietly() {
    try {
      status.flush(listener);
    } catch (KubeRefusal e) {
      // stays wanted: written with the next change
    }
  }
}
