package dev.runnerset.controller.rounds;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rounds of one task by a timer, begun and ended as often as needed. A round that fails is logged
 * and ends no later one. Thread-safe.
 */
public final class Rounds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

  private final LeaderWork.Periodic periodic;
  private @Nullable AutoCloseable running; // guarded by this

  /** No rounds yet. */
  public Rounds(LeaderWork.Periodic periodic) {
    this.periodic = periodic;
  }

  /** Begins the rounds, unless they run. */
  public synchronized void begin(Duration delay, Duration period, Runnable task) {
    if (running == null) {
      running = periodic.every(delay, period, () -> tryRun(task));
    }
  }

  private static void tryRun(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      // else the timer would drop the task silently, and no later round would come
      LOG.atError().setCause(e).log("a round failed; the next one comes");
    }
  }

  /** The same with rounds that have begun; each comes a period after the one before. */
  public static Rounds begun(LeaderWork.Periodic periodic, Duration period, Runnable task) {
    var rounds = new Rounds(periodic);
    rounds.begin(period, period, task);
    return rounds;
  }

  /** Ends the rounds; they may begin again. */
  @Override
  public synchronized void close() {
    if (running != null) {
      try {
        running.close();
      } catch (Exception e) {
        LOG.atDebug().addKeyValue("error", e.toString()).log("the rounds did not end in order");
      }
      running = null;
    }
  }
}
