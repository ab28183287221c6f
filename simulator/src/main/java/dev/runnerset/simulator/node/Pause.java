package dev.runnerset.simulator.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting on a virtual thread that an interrupt ends at once. */
final class Pause {
  private Pause() {}

  static void of(Duration duration) throws InterruptedException {
    until(new CompletableFuture<>(), duration);
  }

  /** Whether {@code event} came before the time was over. */
  static boolean until(CompletableFuture<?> event, Duration atMost) throws InterruptedException {
    try {
      event.get(Math.max(0, atMost.toMillis()), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }
}
