package dev.runnerset.listener.main;

import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.listener.session.context.Polls;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each poll on a virtual thread of its own; interrupting that thread ends the poll. */
final class ThreadPolls implements Polls {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadPolls.class);

  private final Consumer<Answer> answers;
  private @Nullable Thread underWay; // only the loop's thread uses it

  ThreadPolls(Consumer<Answer> answers) {
    this.answers = answers;
  }

  @Override
  public void start(long number, MessageSession session, long lastMessageId, int capacity) {
    underWay =
        Thread.ofVirtual()
            .name("poll-" + number)
            .start(() -> answers.accept(answer(number, session, lastMessageId, capacity)));
  }

  private static Answer answer(
      long number, MessageSession session, long lastMessageId, int capacity) {
    try {
      return new Answered(number, session.poll(lastMessageId, capacity));
    } catch (ServiceException e) {
      return new Failed(number, e.error());
    } catch (Throwable e) {
      // also an InterruptedException, which the HTTP library throws undeclared, and an Error:
      // without an answer the loop would wait for twice the time of a poll
      LOG.atWarn().setCause(e).log("a poll ended with a fault of the listener");
      var text = "the poll ended with a fault of the listener; see its log";
      var details = ServiceError.Details.unanswered("GET message", text);
      return new Failed(number, new ServiceError.Malformed(details));
    }
  }

  @Override
  public void cancel() {
    if (underWay != null) {
      underWay.interrupt();
      underWay = null;
    }
  }
}
