package dev.runnerset.controller.events;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Writes events one after another on a thread of its own, so that no reconcile waits for them. At
 * most {@link #MOST_WAITING} wait at a time. A write that may succeed later is tried again after
 * {@link #PAUSE}, {@link #TRIES} times in all.
 */
public final class EventWriter implements AutoCloseable {
  static final int MOST_WAITING = 4000;
  static final int TRIES = 6;
  static final Duration PAUSE = Duration.ofSeconds(10);
  private static final Duration AT_THE_END = Duration.ofSeconds(1);

  private final ScheduledExecutorService thread;
  private final Duration pause;
  private final AtomicInteger waiting = new AtomicInteger();

  /** With the pause of the product. */
  public EventWriter() {
    this(PAUSE);
  }

  EventWriter(Duration pause) {
    this.pause = pause;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("events").daemon().factory());
  }

  /**
   * Runs the write later.
   *
   * @param write must not throw; false if it is to be tried again
   * @return false if too many wait: the write is dropped
   */
  boolean submit(BooleanSupplier write) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return false;
    }
    return schedule(write, 1, Duration.ZERO);
  }

  private boolean schedule(BooleanSupplier write, int attempt, Duration wait) {
    try {
      var _ =
          thread.schedule(() -> attempt(write, attempt), wait.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      waiting.decrementAndGet(); // the process ends
      return false;
    }
  }

  private void attempt(BooleanSupplier write, int attempt) {
    if (!write.getAsBoolean() && attempt < TRIES) {
      var _ = schedule(write, attempt + 1, pause);
    } else {
      waiting.decrementAndGet();
    }
  }

  /** Writes what waits, for a second at most. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      var _ = thread.awaitTermination(AT_THE_END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.shutdownNow();
  }
}
