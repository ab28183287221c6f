package dev.runnerset.actions.http;

import java.time.Duration;

/** The pause between two attempts, so that tests need not wait. */
@FunctionalInterface
interface Waiter {
  /** Waits really. */
  Waiter REAL = (duration, signal) -> signal.await(duration);

  /** Returns after the time, or early when the signal is cancelled. */
  void pause(Duration duration, CancelSignal signal) throws InterruptedException;
}
