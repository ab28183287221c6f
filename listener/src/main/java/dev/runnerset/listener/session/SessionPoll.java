package dev.runnerset.listener.session;

import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.PollResult.Nothing;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.listener.session.ListenerCounters.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Polls one open session: a message is applied, then acknowledged, and only then is the next one
 * asked for (I8). Used by the loop's thread.
 */
final class SessionPoll {
  private static final Duration READ_AGAIN = Duration.ofSeconds(1);

  private final LoopContext world;
  private final InboxWait waits;
  private final MessageSession session;
  private final Connection connection;
  private final MessageApplier applier;
  private final SkippedMessages skipped;
  private final Runnable answered;

  private static final AtomicLong POLLS = new AtomicLong();

  private long underWay;
  private boolean open;
  private int capacity;
  private Instant giveUpAt = Instant.MAX;
  private long lastMessageId;
  private long toAcknowledge;

  /**
   * Nothing is sent yet.
   *
   * @param answered told after each answer of the service
   */
  SessionPoll(
      LoopContext world,
      InboxWait waits,
      MessageSession session,
      Connection connection,
      MessageApplier applier,
      SkippedMessages skipped,
      Runnable answered) {
    this.world = world;
    this.waits = waits;
    this.session = session;
    this.connection = connection;
    this.applier = applier;
    this.skipped = skipped;
    this.answered = answered;
  }

  /**
   * Polls until the listener object wants something else.
   *
   * @return where to go on
   * @throws ServiceException when a poll or an acknowledgement failed; polling may go on
   */
  Phase run(ListenerSnapshot at) {
    try {
      while (true) {
        var latest = waits.listenerOrLeave();
        connection.readAgainIfOld(latest); // first: polls may fail every time
        var elsewhere = elsewhere(at, latest);
        if (elsewhere != null) {
          return elsewhere;
        }
        applier.seen(latest);
        acknowledge();
        poll(latest);
        waits.await(earliest(giveUpAt, applier.requeueAt(), connection.readAgainAt()));
        take();
        applier.tick(connection.service());
      }
    } finally {
      cancel();
    }
  }

  private @Nullable Phase elsewhere(ListenerSnapshot at, ListenerSnapshot latest) {
    if (!latest.spec().runnerSet().equals(at.spec().runnerSet())) {
      return Phase.TAKE_OVER;
    }
    if (!latest.sameConnection(at) || (connection.isOutdated() && !open)) {
      return Phase.CONNECT;
    }
    return latest.deleting() ? Phase.DONE : null;
  }

  private void poll(ListenerSnapshot latest) {
    if (open && latest.spec().capacity() != capacity) {
      cancel(); // a raise pulls waiting jobs on the next poll only (protocol 4.6)
    }
    if (!open) {
      underWay = POLLS.incrementAndGet();
      open = true;
      capacity = latest.spec().capacity();
      giveUpAt = waits.now().plus(world.settings().pollTimeout().multipliedBy(2));
      world.polls().start(underWay, session, lastMessageId, capacity);
    }
  }

  private void take() {
    var answer = world.inbox().takeAnswer();
    if (answer == null || answer.poll() != underWay || !open) {
      if (open && !waits.now().isBefore(giveUpAt)) {
        giveUp();
      }
      return;
    }
    open = false;
    switch (answer) {
      case PollAnswer.Failed(var _, var error) -> throw new ServiceException(error);
      case PollAnswer.Answered(var _, Nothing()) -> answered.run();
      case PollAnswer.Answered(var _, Message message) -> {
        answered.run();
        applier.message(message, connection.service());
        if (skipped.isToBeReadAgain(message)) {
          waits.pause(READ_AGAIN, wish -> wish instanceof DesiredState.Stop);
          return; // asked for again: the cursor stays
        }
        applier.acknowledging(message);
        lastMessageId = Math.max(lastMessageId, message.messageId());
        toAcknowledge = message.messageId();
        acknowledge();
      }
    }
  }

  /** Tells the service that the message was applied; what fails is done before the next poll. */
  private void acknowledge() {
    if (toAcknowledge > 0) {
      session.acknowledge(toAcknowledge);
      toAcknowledge = 0;
    }
  }

  private void giveUp() {
    cancel();
    world.counters().add(Count.POLLS_TIMED_OUT);
    throw new ServiceException(
        new ServiceError.Unavailable(
            new ServiceError.Details("GET message", 0, "", "no answer in twice its time", "", ""),
            null));
  }

  private void cancel() {
    if (open) {
      open = false;
      world.polls().cancel();
    }
  }

  private static Instant earliest(Instant one, @Nullable Instant other, Instant third) {
    var first = other != null && other.isBefore(one) ? other : one;
    return third.isBefore(first) ? third : first;
  }
}
