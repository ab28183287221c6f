package dev.runnerset.controller.events;

import dev.runnerset.base.Detail;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Writes events on {@link #THREADS} threads of its own, so that no reconcile waits for them, and
 * one slow answer does not hold all events. The events of one object are written one after another.
 * At most {@link #MOST_WAITING} wait at a time. A write that may succeed later is tried again after
 * {@link EventTimes#PAUSE}, {@link #TRIES} times in all (EV5).
 */
public final class EventWriter implements AutoCloseable {
  static final int THREADS = 4;
  static final int MOST_WAITING = 4000;
  static final int TRIES = 6;

  /** How long the end of the process waits for events that are being written. */
  @Detail private static final Duration AT_THE_END = Duration.ofSeconds(1);

  private final List<ScheduledExecutorService> threads;
  private final Duration pause;
  private final AtomicInteger waiting = new AtomicInteger();

  /** With the pause of the product. */
  public EventWriter() {
    this(EventTimes.PAUSE);
  }

  EventWriter(Duration pause) {
    this.pause = pause;
    var factory = Thread.ofPlatform().name("events-", 1).daemon().factory();
    this.threads =
        IntStream.range(0, THREADS)
            .mapToObj(i -> Executors.newSingleThreadScheduledExecutor(factory))
            .toList();
  }

  /**
   * Runs the write later.
   *
   * @param about what the event is about; writes about equal things keep their order
   * @param write must not throw; false if it is to be tried again
   * @return false if too many wait: the write is dropped
   */
  public boolean submit(Object about, BooleanSupplier write) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return false;
    }
    return schedule(threads.get(Math.floorMod(about.hashCode(), THREADS)), write, 1, Duration.ZERO);
  }

  private boolean schedule(
      ScheduledExecutorService thread, BooleanSupplier write, int attempt, Duration wait) {
    try {
      var _ =
          thread.schedule(
              () -> attempt(thread, write, attempt), wait.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      waiting.decrementAndGet(); // the process ends
      return false;
    }
  }

  private void attempt(ScheduledExecutorService thread, BooleanSupplier write, int attempt) {
    if (!write.getAsBoolean() && attempt < TRIES) {
      var _ = schedule(thread, write, attempt + 1, pause);
    } else {
      waiting.decrementAndGet();
    }
  }

  /** Writes what waits, for a second at most. */
  @Override
  public void close() {
    threads.forEach(ExecutorService::shutdown);
    long end = System.nanoTime() + AT_THE_END.toNanos();
    try {
      for (var thread : threads) {
        var _ = thread.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.forEach(ExecutorService::shutdownNow);
  }
}
