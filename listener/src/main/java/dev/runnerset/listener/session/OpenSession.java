package dev.runnerset.listener.session;

import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.PollResult.Nothing;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.DesiredState;
import dev.runnerset.listener.session.context.DesiredState.Hold;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.Polls;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session that is open at the service, from its opening to its end: how far it is announced, how
 * it is polled, and how it is ended. A message is applied, then acknowledged, and only then is the
 * next one asked for (I8). Used by the loop's thread.
 */
final class OpenSession {
  private static final Logger LOG = LoggerFactory.getLogger(OpenSession.class);

  /** Before a message that could not be read is asked for again. */
  private static final Duration READ_AGAIN = Duration.ofSeconds(1);

  /** After a failure, a poll that the service held so long shows that it answers again. */
  private static final Duration PROVEN = Duration.ofSeconds(10);

  /** Numbers the polls of all sessions. */
  private static final AtomicLong POLLS = new AtomicLong();

  private final LoopContext context;
  private final Inbox inbox;
  private final MessageSession session;
  private final SessionStatus status;
  private final Connection connection;
  private final MessageApplier applier;
  private final Runnable answered;

  private boolean announced;
  private boolean ready;
  private long poll;
  private boolean polling;
  private int capacity;
  private Instant begunAt = Instant.MAX;
  private Instant giveUpAt = Instant.MAX;
  private Instant provenAt = Instant.MAX;
  private long lastMessageId;
  private long toAcknowledge;

  /** Why polling ended without a failure. */
  enum PollingEnd {
    /** The listener object names another EphemeralRunnerSet. */
    OTHER_TARGET,
    /** Other settings or credentials: a new connection is needed. */
    OTHER_CONNECTION,
    /** The listener object is being deleted. */
    DELETING,
    /** A poll got no answer, not even that there is no news: the connection may be dead. */
    SILENT
  }

  /**
   * A session that was just opened; nothing is sent yet.
   *
   * @param answered called after each answer of the service to a poll
   */
  OpenSession(
      LoopContext context,
      MessageSession session,
      SessionStatus status,
      Connection connection,
      MessageApplier applier,
      Runnable answered) {
    this.context = context;
    this.inbox = context.inbox();
    this.session = session;
    this.status = status;
    this.connection = connection;
    this.applier = applier;
    this.answered = answered;
  }

  /**
   * Writes whose session it is, then the demand. Under a new fence this is done once more.
   *
   * @throws KubeRefusal when the status could not be written for now
   */
  void announce(ListenerSnapshot listener) {
    status.opened(session.id().value(), listener.connection());
    status.flush();
    announced = true; // a next holder finds the session in the status, and ends it
    LOG.atInfo()
        .addKeyValue("listener", listener.name())
        .addKeyValue("session", session.id())
        .log("session is open");
    var believed = ready ? applier.believed() : null;
    applier.sessionOpened(believed == null ? session.statistics() : believed, connection.service());
    ready = true;
  }

  /** Whether it was announced and may be polled, so that it may go on under a new fence. */
  boolean isReady() {
    return ready;
  }

  /**
   * Polls until the listener object asks for something else.
   *
   * @throws ServiceException when a poll or an acknowledgement failed; polling may go on
   */
  PollingEnd pollAll(ListenerSnapshot listener) {
    try {
      while (true) {
        var latest = inbox.listenerOrExit();
        connection.readAgainIfOld(latest); // first: polls may fail every time
        var end = end(listener, latest);
        if (end.isPresent()) {
          return end.get();
        }
        status.seen(latest);
        applier.seen(latest);
        acknowledge();
        poll(latest);
        inbox.awaitOrExit(
            RequeueTime.at(giveUpAt)
                .or(provenAt)
                .or(applier.requeueAt())
                .or(connection.readAgainAt())
                .at());
        takeAnswer();
        if (polling && !inbox.now().isBefore(giveUpAt)) {
          context.series().counted(ListenerMeter.POLLS_UNANSWERED);
          status.pollHeldInVain();
          return PollingEnd.SILENT;
        }
        if (polling && !inbox.now().isBefore(provenAt)) {
          provenAt = Instant.MAX;
          status.pollStands();
        }
        applier.tick(connection.service());
      }
    } finally {
      cancel();
    }
  }

  private Optional<PollingEnd> end(ListenerSnapshot from, ListenerSnapshot latest) {
    if (!latest.sameTarget(from)) {
      return Optional.of(PollingEnd.OTHER_TARGET);
    }
    if (!latest.sameConnection(from) || (connection.isOutdated() && !polling)) {
      return Optional.of(PollingEnd.OTHER_CONNECTION);
    }
    return latest.deleting() ? Optional.of(PollingEnd.DELETING) : Optional.empty();
  }

  private void poll(ListenerSnapshot latest) {
    if (polling && latest.spec().capacity() != capacity) {
      cancel(); // the service reads the capacity with each poll (protocol 4.6)
    }
    if (!polling) {
      applier.acquireIfPossible(session, latest.spec().capacity(), connection.service());
      poll = POLLS.incrementAndGet();
      polling = true;
      capacity = latest.spec().capacity();
      begunAt = inbox.now();
      giveUpAt = begunAt.plus(context.settings().poll()).plus(ListenerSettings.POLL_MARGIN);
      provenAt = status.isProvenByHeldPoll() ? begunAt.plus(PROVEN) : Instant.MAX;
      context.polls().start(poll, session, lastMessageId, capacity);
      applier.pollBegan();
    }
  }

  private void takeAnswer() {
    var answer = inbox.takeAnswer();
    if (answer == null || answer.poll() != poll || !polling) {
      return;
    }
    polling = false;
    switch (answer) {
      case Polls.Failed(var _, var error) -> {
        boolean answeredNothing =
            error instanceof ServiceError.Unavailable || error instanceof ServiceError.Malformed;
        if (answeredNothing && !inbox.now().isBefore(begunAt.plus(PROVEN))) {
          status.pollHeldInVain(); // as a gateway that gives up before the service answers
        }
        lastMessageId = 0; // the service may have begun again (protocol 0)
        throw new ServiceException(error);
      }
      case Polls.Answered(var _, Nothing()) -> {
        answered.run();
        lastMessageId = 0; // what was applied is deleted; and the service may have begun again
      }
      case Polls.Answered(var _, Message message) -> {
        answered.run();
        applier.message(message, connection.service());
        if (applier.isToBeReadAgain(message)) {
          inbox.pause(READ_AGAIN, desired -> desired instanceof DesiredState.Stop);
          return; // the cursor stays, so the same message comes again
        }
        int wanted = inbox.desired() instanceof Hold(var now) ? now.spec().capacity() : 0;
        applier.acquire(session, Math.min(capacity, wanted), connection.service());
        applier.acknowledging(message);
        lastMessageId = message.messageId();
        toAcknowledge = message.messageId();
        acknowledge();
      }
    }
  }

  /** Tells the service that the message was applied. If that fails, again before the next poll. */
  private void acknowledge() {
    if (toAcknowledge > 0) {
      session.acknowledge(toAcknowledge);
      toAcknowledge = 0;
    }
  }

  private void cancel() {
    if (polling) {
      polling = false;
      context.polls().cancel();
    }
  }

  /** Ends it at the service; false if it may still be open there. Its id then stays known. */
  boolean close() {
    session.close();
    var ended = session.isEnded();
    if (ended) {
      status.sessionId(null);
    }
    LOG.atInfo()
        .addKeyValue("session", session.id())
        .addKeyValue("confirmed", ended)
        .log("session is closed");
    return ended;
  }

  /**
   * Leaves it alone, since another process may hold the set by now (SF4). Only a session that was
   * never announced is closed: nobody else knows of it.
   */
  void abandon() {
    if (!announced) {
      var _ = close();
    }
  }
}
