package dev.runnerset.simulator.service;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How a long poll waits: it looks, and looks again whenever it is woken. */
final class Parking {
  /** Either the answer, or what to wait for before the next look. */
  sealed interface Look {
    record Answer(Reply reply) implements Look {}

    record Wait(CompletableFuture<Void> wake, Duration atMost) implements Look {}
  }

  private Parking() {}

  /**
   * Blocks until a look gives an answer (that answer), the time is over (202), or the client has
   * {@code gone} (nothing is sent).
   */
  static Reply until(CompletableFuture<Void> gone, Duration longest, Supplier<Look> look) {
    var timeout = new CompletableFuture<Boolean>();
    timeout.completeOnTimeout(true, longest.toMillis(), TimeUnit.MILLISECONDS);
    try {
      return until(gone, timeout, look);
    } finally {
      timeout.complete(false);
    }
  }

  private static Reply until(
      CompletableFuture<Void> gone, CompletableFuture<Boolean> timeout, Supplier<Look> look) {
    while (true) {
      if (gone.isDone()) {
        return Reply.DROPPED;
      }
      switch (look.get()) {
        case Look.Answer(var reply) -> {
          return reply;
        }
        case Look.Wait(var wake, var atMost) -> {
          if (timeout.isDone()) {
            return Reply.empty(202);
          }
          var any = CompletableFuture.anyOf(gone, timeout, wake);
          if (atMost.toHours() < 1) {
            any.completeOnTimeout(true, Math.max(1, atMost.toMillis()), TimeUnit.MILLISECONDS);
          }
          join(any);
        }
      }
    }
  }

  private static void join(CompletableFuture<Object> any) {
    try {
      any.join();
    } catch (CompletionException impossible) {
      throw new IllegalStateException("nothing here fails", impossible);
    }
  }
}
