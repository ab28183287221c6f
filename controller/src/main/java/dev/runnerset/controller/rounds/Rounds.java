package dev.runnerset.controller.rounds;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rounds of one task by a timer. */
final class Rounds implements Followed {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

  private final Timer timer;
  private final Duration delay;
  private final Duration period;
  private final Runnable round;
  private @Nullable AutoCloseable running; // guarded by this

  Rounds(Timer timer, Duration delay, Duration period, Runnable round) {
    this.timer = timer;
    this.delay = delay;
    this.period = period;
    this.round = round;
  }

  @Override
  public synchronized void begin() {
    if (running == null) {
      running = timer.every(delay, period, this::tryRun);
    }
  }

  private void tryRun() {
    try {
      round.run();
    } catch (RuntimeException | Error e) {
      // else the timer would drop the task silently, and no later round would come
      LOG.atError().setCause(e).log("a round failed; the next one comes");
    }
  }

  @Override
  public synchronized void close() {
    if (running != null) {
      try {
        running.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        LOG.atDebug().addKeyValue("error", e.toString()).log("the rounds did not end in order");
      }
      running = null;
    }
  }
}
