package dev.runnerset.listener.session;

import dev.runnerset.listener.session.DesiredState.Stop;
import dev.runnerset.listener.session.ListenerCounters.Count;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link SessionLoop} that is started again when it dies, whatever it dies of: else its set would
 * be deaf until the process ends. Runs on one thread.
 */
public final class LastingLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LastingLoop.class);

  /** A loop that ran so long did not die of its start: the waits begin anew. */
  private static final Duration RAN_WELL = Duration.ofMinutes(1);

  private final LoopContext world;
  private final InboxWait waits;
  private ListenerSnapshot listener;

  /** A loop for the listener object; nothing is done yet. */
  public LastingLoop(LoopContext world, ListenerSnapshot listener) {
    this.world = world;
    this.listener = listener;
    waits = new InboxWait(world.inbox(), world.clock());
  }

  @Override
  public void run() {
    var backoff = new LoopBackoff(world.random());
    @Nullable Finding diedOf = null;
    while (true) {
      var began = waits.now();
      try {
        new SessionLoop(world, listener, diedOf).run();
        return;
      } catch (Throwable e) { // an Error too: it must not end the listening for this set
        if (!waits.now().isBefore(began.plus(RAN_WELL))) {
          backoff.reset();
        }
        diedOf = died(e);
      }
      if (!restarts(backoff.next(null))) {
        return;
      }
    }
  }

  private Finding died(Throwable failure) {
    world.counters().add(Count.LOOPS_DIED);
    LOG.atError()
        .addKeyValue("listener", listener.name())
        .setCause(failure)
        .log("the loop of a set died; it is started again");
    return Finding.failed(failure);
  }

  private boolean restarts(Duration after) {
    try {
      waits.pause(after, wish -> wish instanceof Stop);
      listener = waits.listenerOrLeave();
      return true;
    } catch (LoopExit e) {
      return false;
    }
  }
}
