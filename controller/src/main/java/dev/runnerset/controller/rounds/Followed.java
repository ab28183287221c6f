package dev.runnerset.controller.rounds;

import dev.runnerset.base.Detail;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An informer or a timer that something needs. Who owns it begins it with leadership or with the
 * caches, and closes it with them. Thread-safe.
 */
public interface Followed extends AutoCloseable {
  /** How long a round may take to end. */
  @Detail Duration LONGEST_END = Duration.ofSeconds(2);

  /** Begins; changes nothing where it has begun. Does not block. */
  void begin();

  /**
   * Ends, and interrupts a round that is under way; blocks until that has ended, at most for {@link
   * #LONGEST_END}, since its caches may be emptied then. It may begin again.
   */
  @Override
  void close();

  /** Runs something again and again. */
  @FunctionalInterface
  interface Timer {
    /** Runs it first after {@code delay} and then every {@code period}; closing ends that. */
    AutoCloseable every(Duration delay, Duration period, Runnable task);
  }

  /**
   * Rounds of a task on a thread of their own, each a period after the one before has ended. A
   * round that fails is logged and ends no later one.
   *
   * @param name of the thread
   */
  static Followed every(String name, Duration period, Runnable round) {
    return new Rounds(onThread(name), period, period, round);
  }

  /** A timer whose tasks each have a thread of that name. */
  static Timer onThread(String name) {
    return (delay, period, task) -> {
      var thread =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().name(name).daemon().factory());
      var _ =
          thread.scheduleWithFixedDelay(
              task, delay.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
      return () -> {
        thread.shutdownNow();
        var _ = thread.awaitTermination(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
      };
    };
  }

  /** The same by that timer, the first round after {@code delay}. */
  static Followed rounds(Timer timer, Duration delay, Duration period, Runnable round) {
    return new Rounds(timer, delay, period, round);
  }
}
