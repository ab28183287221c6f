package dev.runnerset.listener.session;

import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages of which a part cannot be read (SF9). Such a message is asked for {@link #TRIES} times,
 * since an answer may have been damaged on its way. Then it is acknowledged without that part: the
 * queue has one order, and a message that stays holds up all that follow. Used by one thread.
 */
final class SkippedMessages {
  private static final Logger LOG = LoggerFactory.getLogger(SkippedMessages.class);

  /** How often a message is asked for before it is acknowledged without a part. */
  static final int TRIES = 3;

  /** How long the condition tells of a skipped part: long enough to be seen. */
  static final Duration REPORTED_FOR = Duration.ofMinutes(10);

  private final LoopContext context;
  private long messageId;
  private int tries;
  private long skipped;
  private @Nullable SessionFinding finding;
  private @Nullable Instant reportUntil;

  SkippedMessages(LoopContext context) {
    this.context = context;
  }

  /** Whether the message must be asked for again, instead of acknowledged. */
  boolean isToBeReadAgain(Message message) {
    if (message.unread().isEmpty()) {
      return false;
    }
    tries = message.messageId() == messageId ? tries + 1 : 1;
    messageId = message.messageId();
    return tries < TRIES;
  }

  /** The message is about to be acknowledged; true if a part of it is skipped. */
  boolean given(Message message, ListenerSnapshot listener) {
    if (message.unread().isEmpty()) {
      return false;
    }
    skipped++;
    context.series().counted(ListenerMeter.MESSAGES_SKIPPED);
    var what = String.join(", ", message.unread().stream().limit(3).toList());
    LOG.atWarn()
        .addKeyValue("listener", listener.name())
        .addKeyValue("message", message.messageId())
        .addKeyValue("unread", what)
        .log("a part of a message was skipped: it could not be read");
    finding =
        new SessionFinding(
            ListenerReason.MESSAGE_SKIPPED,
            ListenerReason.MESSAGE_SKIPPED.word() + skipped,
            ("a part of message %d could not be read in %d tries and was skipped: %s. Its"
                    + " statistics were used. Skipped so far: %d. Look for a newer version of the"
                    + " listener")
                .formatted(message.messageId(), TRIES, what, skipped));
    reportUntil = context.inbox().now().plus(REPORTED_FOR);
    return true;
  }

  /** What the condition has to tell now; null for nothing. */
  @Nullable SessionFinding toTell() {
    return reportUntil != null && context.inbox().now().isBefore(reportUntil) ? finding : null;
  }

  /** Until when the condition has to tell it; null when it has nothing to tell. */
  @Nullable Instant reportUntil() {
    return reportUntil;
  }

  /** The condition has stood long enough. */
  void reported() {
    reportUntil = null;
  }
}
