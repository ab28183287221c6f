package dev.runnerset.listener.session;

import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.DesiredState.Stop;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.LoopExit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link SessionLoop}, and starts another when it dies of any exception or error; else
 * nobody would listen for its set until the process ends. Runs on one thread.
 */
public final class LastingLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LastingLoop.class);

  /** After a loop that ran so long the waits begin again: it did not die of its start. */
  private static final Duration RAN_WELL = Duration.ofMinutes(1);

  private final LoopContext context;
  private final Inbox inbox;
  private final boolean insteadOfStuck;
  private ListenerSnapshot listener;

  /**
   * A loop for the listener object; nothing is done yet.
   *
   * @param insteadOfStuck whether the loop before this one hangs, which is reported
   */
  public LastingLoop(LoopContext context, ListenerSnapshot listener, boolean insteadOfStuck) {
    this.context = context;
    this.listener = listener;
    this.insteadOfStuck = insteadOfStuck;
    inbox = context.inbox();
  }

  @Override
  public void run() {
    var backoff = new LoopBackoff(context.random());
    @Nullable SessionFinding diedOf = insteadOfStuck ? SessionFinding.stuck() : null;
    while (true) {
      var began = inbox.now();
      try {
        new SessionLoop(context, listener, diedOf).run();
        return;
      } catch (Throwable e) { // also an Error
        if (!inbox.now().isBefore(began.plus(RAN_WELL))) {
          backoff.reset();
        }
        diedOf = died(e);
      }
      if (!restarts(backoff.next(null))) {
        return;
      }
    }
  }

  private SessionFinding died(Throwable failure) {
    context.series().counted(ListenerMeter.LOOPS_RESTARTED, "died");
    LOG.atError()
        .addKeyValue("listener", listener.name())
        .setCause(failure)
        .log("the loop of a set died; it is started again");
    return SessionFinding.failed();
  }

  private boolean restarts(Duration after) {
    try {
      inbox.pause(after, desired -> desired instanceof Stop);
      listener = inbox.listenerOrExit();
      return true;
    } catch (LoopExit e) {
      return false;
    }
  }
}
