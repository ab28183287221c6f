package dev.runnerset.listener.session;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.listener.session.ListenerCounters.Count;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the session of one set (SF1) until it is told to stop or the listener object is gone.
 * Nothing that happens to one set ends it in another way. Runs on one thread.
 */
final class SessionLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionLoop.class);

  private final LoopContext world;
  private final InboxWait waits;
  private final TakeOver takeOver;
  private final SessionStatus status;
  private final Connection connection;
  private final MessageApplier applier;
  private final LoopBackoff backoff;
  private final ConnectedCondition connected;
  private final HeldSession held;
  private final SessionEnd end;
  private final Opening opening;
  private final SkippedMessages skipped;

  private ListenerSnapshot listener;
  private @Nullable ListenerSnapshot connectedFor;
  private @Nullable Finding diedOf;
  private Duration delay = Duration.ZERO;
  private @Nullable Instant fencedAt;

  /**
   * A loop for the listener object; nothing is done yet.
   *
   * @param diedOf what the loop before this one died of, to be told; or null
   */
  SessionLoop(LoopContext world, ListenerSnapshot listener, @Nullable Finding diedOf) {
    this.diedOf = diedOf;
    this.world = world;
    this.listener = listener;
    waits = new InboxWait(world.inbox(), world.clock());
    takeOver = new TakeOver(world, waits);
    status = new SessionStatus(world.writer(), world.settings().identity());
    connection = new Connection(world);
    skipped = new SkippedMessages(world);
    applier = new MessageApplier(world, waits, status, skipped, listener);
    backoff = new LoopBackoff(world.random());
    connected = new ConnectedCondition(status, waits);
    held = new HeldSession(status);
    end = new SessionEnd(status, connected, connection, held, waits);
    opening = new Opening(world, status, backoff);
  }

  @Override
  public void run() {
    var phase = Phase.TAKE_OVER;
    try {
      while (phase != Phase.DONE) {
        phase = next(phase);
      }
    } finally {
      if (phase != Phase.DONE) {
        end.abandon(); // the next loop finds the session in the status, and deletes it
      }
      connection.close();
    }
    log("listening ended");
  }

  private Phase next(Phase phase) {
    try {
      return attempt(phase);
    } catch (LoopExit e) {
      return left(e.why());
    }
  }

  private Phase attempt(Phase phase) {
    try {
      pauseAfterFailure();
      return step(look(phase));
    } catch (ServiceException e) {
      return failed(phase, e.error());
    } catch (UnusableAccessException e) {
      return unusable(phase, Finding.of(e.reason(), String.valueOf(e.getMessage())));
    } catch (KubeRefusal e) {
      LOG.atWarn()
          .addKeyValue("listener", listener.name())
          .addKeyValue("phase", phase)
          .addKeyValue("why", e.getMessage())
          .log("the API server refused; tried again");
      delay = backoff.next(null);
      return phase;
    } catch (LoopExit e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("listener", listener.name())
          .setCause(e)
          .log("unexpected failure; the set is taken over again");
      world.counters().add(Count.LOOPS_FAILED);
      connected.bad(Finding.failed(e), listener);
      delay = backoff.next(null);
      return Phase.TAKE_OVER;
    }
  }

  /** Where to go on, given the listener object as it is now. */
  private Phase look(Phase phase) {
    var latest = waits.listenerOrLeave();
    var sameTarget = latest.spec().runnerSet().equals(listener.spec().runnerSet());
    listener = latest;
    applier.seen(latest);
    if (!sameTarget) {
      return Phase.TAKE_OVER;
    }
    var connected = connectedFor == null || latest.sameConnection(connectedFor);
    return connected || phase.compareTo(Phase.CONNECT) <= 0 ? phase : Phase.CONNECT;
  }

  private void pauseAfterFailure() {
    var wait = delay;
    delay = Duration.ZERO;
    waits.pauseUnlessChanged(wait, listener);
  }

  private Phase step(Phase phase) {
    return switch (phase) {
      case TAKE_OVER -> takeOver();
      case CONNECT -> connect();
      case OPEN -> open();
      case ANNOUNCE -> announce();
      case POLL -> poll();
      case DONE -> Phase.DONE;
    };
  }

  private Phase takeOver() {
    takeOver.awaitLease(fencedAt);
    var fence = takeOver.take(listener, status);
    if (fence == null) {
      status.claim(listener, status.epochFound(listener));
      opening.takenOver(false);
      if (listener.deleting()) {
        return Phase.CONNECT; // no set to report to, but a session to close
      }
      var target = listener.spec().runnerSet();
      return unusable(
          Phase.TAKE_OVER,
          Finding.of(
              "RunnerSetNotFound",
              "no EphemeralRunnerSet %s/%s with uid %s; waiting for the controller to name the present"
                  .formatted(target.namespace(), target.name(), target.uid())));
    }
    fencedAt = null;
    status.claim(listener, fence.epoch());
    opening.takenOver(fence.epoch() == 1);
    applier.takenOver(listener, fence);
    if (diedOf != null) {
      connected.bad(diedOf, listener);
      diedOf = null;
    }
    // a session that was polled goes on under the new fence
    return held.isPolled() ? Phase.ANNOUNCE : Phase.CONNECT;
  }

  private Phase connect() {
    if (!end.close(listener) && !status.isFalse(Conditions.CONNECTED)) {
      connected.bad(
          Finding.of(
              "Unavailable",
              "the former session could not be closed; it is deleted before another is opened"),
          listener);
    }
    applier.listensTo(listener.spec().scaleSetId());
    connection.open(listener);
    connectedFor = listener;
    return Phase.OPEN;
  }

  private Phase open() {
    var id = new ScaleSetId(listener.spec().scaleSetId());
    if (listener.deleting()) {
      opening.endKnown(id, connection.service());
      return deleted();
    }
    takeOver.awaitLease(null); // a process that was paused may have to leave the set to another
    return switch (opening.attempt(
        id, connection.service(), failed -> connected.bad(failed, listener))) {
      case Opening.Attempt.Opened(var session) -> {
        held.opened(session);
        yield Phase.ANNOUNCE;
      }
      case Opening.Attempt.NotOpened(var finding, var wait) -> {
        connected.bad(finding, listener);
        delay = wait;
        yield Phase.OPEN;
      }
    };
  }

  private Phase announce() {
    var session = held.session();
    status.sessionId(session.id().value());
    status.connection(listener.connection());
    connected.good(listener);
    status.flush(listener);
    held.announced();
    log("session is open");
    var fresh = !held.isPolled();
    var counts = fresh ? null : applier.believed();
    applier.sessionOpened(counts == null ? session.statistics() : counts, connection.service());
    if (fresh) {
      held.polledBy(
          new SessionPoll(world, waits, session, connection, applier, skipped, this::answered));
    }
    return Phase.POLL;
  }

  private Phase poll() {
    var poll = held.poll();
    if (poll == null) {
      return Phase.OPEN;
    }
    var next = poll.run(listener);
    if (next != Phase.DONE) {
      return next;
    }
    var _ = end.close(listener);
    return deleted();
  }

  private Phase deleted() {
    end.said("Deleted", "the listener object is being deleted", listener);
    return Phase.DONE;
  }

  private void answered() {
    backoff.reset();
    connected.answered(listener);
  }

  private Phase failed(Phase phase, ServiceError error) {
    connected.bad(Finding.of(error), listener);
    delay = backoff.after(error);
    return switch (error) {
      case ServiceError.SessionLost(var _) -> {
        held.lost();
        yield again(Phase.OPEN);
      }
      case ServiceError.Unauthorized(var _) -> Phase.CONNECT;
      case ServiceError.Forbidden(var _), ServiceError.NotFound(var _) -> {
        connection.doubt(); // other credentials may be allowed, or see what these cannot
        yield again(phase);
      }
      default -> again(phase);
    };
  }

  /** The same once more; polling reads old credentials again itself, and keeps its session. */
  private Phase again(Phase phase) {
    return phase == Phase.OPEN && connection.isOld() ? Phase.CONNECT : phase;
  }

  private Phase unusable(Phase phase, Finding finding) {
    connected.bad(finding, listener);
    delay = backoff.next(null);
    return phase;
  }

  private Phase left(LoopExit.Why why) {
    return switch (why) {
      case FENCED -> {
        log("the fence is another's; the session is left alone");
        world.counters().add(Count.FENCES_LOST);
        fencedAt = waits.now();
        end.abandon();
        yield Phase.TAKE_OVER;
      }
      case TARGET_CHANGED -> Phase.TAKE_OVER;
      case GONE -> {
        var _ = end.close(listener);
        yield Phase.DONE;
      }
      case STOP -> {
        end.stopped(listener);
        yield Phase.DONE;
      }
    };
  }

  private void log(String message) {
    LOG.atInfo()
        .addKeyValue("listener", listener.name())
        .addKeyValue("set", listener.spec().runnerSet().namespace() + "/" + listener.name())
        .log(message);
  }
}
