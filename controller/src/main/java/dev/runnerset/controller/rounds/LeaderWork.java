package dev.runnerset.controller.rounds;

import java.time.Duration;

/** What only the leader does, by a timer. */
public interface LeaderWork extends AutoCloseable {
  /** This process leads from now on, with its caches filled. Does not block. */
  void lead();

  /** Ends the work; a round under way may end. */
  @Override
  void close();

  /** Runs something again and again. */
  @FunctionalInterface
  interface Periodic {
    /** Runs it first after {@code delay} and then every {@code period}; closing ends that. */
    AutoCloseable every(Duration delay, Duration period, Runnable task);
  }
}
