package dev.runnerset.listener.session;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.DesiredState.Stop;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.LoopExit;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for one set (SF1) until the loop is asked to stop or the listener object is gone; nothing
 * that happens to one set ends it in another way. A state machine: {@link #step} is what a phase
 * does, {@link #checked} what a change of the listener object does to the phase, {@link #failed}
 * what a failure does, {@link #left} what an exit does. Runs on one thread.
 */
final class SessionLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionLoop.class);

  /** Where the loop stands; each phase needs those before it. */
  private enum Phase {
    /** Take the fence: raise the epoch. */
    TAKE_OVER,
    /** Read the credentials, make the connection. */
    CONNECT,
    /** Delete the former session, open one. */
    OPEN,
    /** Write whose session it is, and the demand. */
    ANNOUNCE,
    /** Poll, apply, acknowledge. */
    POLL,
    /** The loop has ended. */
    DONE
  }

  private final LoopContext context;
  private final Inbox inbox;
  private final TakeOver takeOver;
  private final SessionStatus status;
  private final Connection connection;
  private final MessageApplier applier;
  private final LoopBackoff backoff;
  private final Opening opening;

  private ListenerSnapshot listener;
  private @Nullable ListenerSnapshot connectedFor;
  private @Nullable OpenSession session;
  private @Nullable SessionFinding diedOf;
  private Duration delay = Duration.ZERO;
  private @Nullable Instant fencedAt;

  /**
   * A loop for the listener object; nothing is done yet.
   *
   * @param diedOf what the loop before this one died of, to be reported; or null
   */
  SessionLoop(LoopContext context, ListenerSnapshot listener, @Nullable SessionFinding diedOf) {
    this.context = context;
    this.listener = listener;
    this.diedOf = diedOf;
    inbox = context.inbox();
    takeOver = new TakeOver(context);
    status = new SessionStatus(context, listener);
    connection = new Connection(context);
    applier = new MessageApplier(context, status, listener);
    backoff = new LoopBackoff(context.random());
    opening = new Opening(context, status, backoff);
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
        abandonSession(); // the next loop finds the session in the status, and deletes it
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
      return step(checked(phase));
    } catch (ServiceException e) {
      return failed(phase, e.error());
    } catch (InvalidConnectionException e) {
      return waiting(phase, SessionFinding.of(e.reason(), String.valueOf(e.getMessage())));
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
      context.series().counted(ListenerMeter.LOOPS_RESTARTED, "failed");
      status.notConnected(SessionFinding.failed());
      delay = backoff.next(null);
      return Phase.TAKE_OVER;
    }
  }

  private void pauseAfterFailure() {
    var wait = delay;
    delay = Duration.ZERO;
    inbox.pauseUnlessChanged(wait, listener);
  }

  /** Where to go on, given the listener object as it is now. */
  private Phase checked(Phase phase) {
    var latest = inbox.listenerOrExit();
    var sameTarget = latest.sameTarget(listener);
    listener = latest;
    status.seen(latest);
    applier.seen(latest);
    if (!sameTarget) {
      return Phase.TAKE_OVER;
    }
    var sameConnection = connectedFor == null || latest.sameConnection(connectedFor);
    return sameConnection || phase.compareTo(Phase.CONNECT) <= 0 ? phase : Phase.CONNECT;
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
    var fence = takeOver.take(listener);
    fencedAt = null;
    status.claim(fence);
    opening.takenOver(fence.epoch() == 1);
    applier.takenOver(listener, fence);
    if (diedOf != null) {
      status.notConnected(diedOf);
      diedOf = null;
    }
    // a session that was polled goes on under the new fence
    return session != null && session.isReady() ? Phase.ANNOUNCE : Phase.CONNECT;
  }

  private Phase connect() {
    if (!closeSession() && !status.isNotConnected()) {
      status.notConnected(
          SessionFinding.of(
              ListenerReason.UNAVAILABLE,
              "the former session could not be closed; it is deleted before another is opened"));
    }
    applier.listensTo(listener.spec().scaleSetId());
    if (connectedFor != null && !listener.sameConnection(connectedFor)) {
      status.otherConnection();
    }
    connection.open(listener);
    connectedFor = listener;
    return Phase.OPEN;
  }

  private Phase open() {
    var id = new ScaleSetId(listener.spec().scaleSetId());
    if (listener.deleting()) {
      opening.deleteFormer(id, connection.service());
      return deleted();
    }
    takeOver.awaitLease(null); // a process that was paused may have to leave the set to another
    var attempt = opening.attempt(id, listener.identity(), connection.service());
    delay = attempt.pause();
    if (attempt.session() == null) {
      return Phase.OPEN;
    }
    context.series().counted(ListenerMeter.SESSIONS, "opened");
    session =
        new OpenSession(context, attempt.session(), status, connection, applier, this::answered);
    return Phase.ANNOUNCE;
  }

  private Phase announce() {
    var held = session;
    if (held == null) {
      return Phase.OPEN;
    }
    held.announce(listener);
    return Phase.POLL;
  }

  private Phase poll() {
    var held = session;
    if (held == null) {
      return Phase.OPEN;
    }
    return switch (held.pollAll(listener)) {
      case OTHER_TARGET -> Phase.TAKE_OVER;
      case OTHER_CONNECTION -> Phase.CONNECT;
      case DELETING -> {
        var _ = closeSession();
        yield deleted();
      }
      case SILENT -> {
        // a dead connection looks like that; a poll of a session opened again shows what it was
        status.pollFailed(SessionFinding.silent(context.settings().poll()));
        abandonSession();
        yield Phase.OPEN;
      }
    };
  }

  private void answered() {
    backoff.reset();
    status.answered();
  }

  private Phase deleted() {
    writeEnd(SessionFinding.of(ListenerReason.DELETED, "the listener object is being deleted"));
    return Phase.DONE;
  }

  private Phase failed(Phase phase, ServiceError error) {
    if (phase == Phase.POLL) {
      status.pollFailed(SessionFinding.of(error));
    } else {
      status.notConnected(SessionFinding.of(error));
    }
    delay = backoff.after(error);
    return switch (error) {
      case ServiceError.SessionLost(var _) -> {
        context.series().counted(ListenerMeter.SESSIONS, "lost");
        session = null; // the status keeps its id, since it may still be open at the service
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

  /** The same phase again. Polling itself reads old credentials again, and keeps its session. */
  private Phase again(Phase phase) {
    return phase == Phase.OPEN && connection.isOld() ? Phase.CONNECT : phase;
  }

  /** Tells what somebody else has to mend, and tries the phase again later. */
  private Phase waiting(Phase phase, SessionFinding finding) {
    status.notConnected(finding);
    delay = backoff.next(null);
    return phase;
  }

  private Phase left(LoopExit.Why why) {
    return switch (why) {
      case FENCED -> {
        log("another holder has the fence; the session is left alone");
        context.series().counted(ListenerMeter.LOOPS_RESTARTED, "fenced");
        fencedAt = inbox.now();
        abandonSession();
        connection.close();
        yield Phase.TAKE_OVER;
      }
      case TARGET_CHANGED -> Phase.TAKE_OVER;
      case GONE -> {
        var _ = closeSession();
        yield Phase.DONE;
      }
      case STOP -> {
        if (inbox.desired() instanceof Stop(var reason)) {
          stop(reason);
        }
        yield Phase.DONE;
      }
    };
  }

  private void stop(StopReason reason) {
    switch (reason) {
      case SHUTDOWN -> {
        if (session != null) {
          var _ = closeSession();
          writeEnd(SessionFinding.of(ListenerReason.STOPPED, "the listener was stopped"));
        }
      }
      case GONE -> {
        var _ = closeSession();
      }
      case LEASE_LOST -> abandonSession();
    }
  }

  /** Closes the session at the service, if one is held; false if it may still be open there. */
  private boolean closeSession() {
    var held = session;
    session = null;
    return held == null || held.close();
  }

  private void abandonSession() {
    if (session != null) {
      session.abandon();
      session = null;
    }
  }

  /** The last write: why there is no session. A session that could not be closed stays named. */
  private void writeEnd(SessionFinding why) {
    status.ended(why);
    try {
      status.flush();
    } catch (LoopExit e) {
      // the object is gone, or another holder's
    } catch (KubeRefusal e) {
      if (inbox.desired() instanceof Stop(var reason) && reason == StopReason.SHUTDOWN) {
        return; // the next holder deletes a session that is gone
      }
      throw e;
    }
  }

  private void log(String message) {
    LOG.atInfo()
        .addKeyValue("listener", listener.name())
        .addKeyValue(
            "set",
            listener.spec().runnerSet().namespace() + "/" + listener.spec().runnerSet().name())
        .log(message);
  }
}
