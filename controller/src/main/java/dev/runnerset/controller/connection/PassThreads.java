package dev.runnerset.controller.connection;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that reconcile. They wait for the API server, and for no service: {@link
 * ServiceCalls} has those calls. Thread-safe.
 */
public final class PassThreads {
  private final ThreadPoolExecutor pool;

  /** That many; none is started before there is work. */
  public PassThreads(int size) {
    pool =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofVirtual().name("reconcile-", 1).factory(),
            new ThreadPoolExecutor.DiscardPolicy()); // the framework hands over work after the end
  }

  /** What runs tasks on these threads, in the order in which they come. */
  public ExecutorService executor() {
    return pool;
  }

  /**
   * Ends: what waits for a thread never begins, and what runs is interrupted after that time.
   * Blocks until then.
   */
  public void end(Duration within) {
    pool.shutdown();
    pool.getQueue().clear();
    end(pool, within);
  }

  /** Calls that are under way end, or are interrupted after that time; none begins any more. */
  public static void end(ExecutorService calls, Duration within) {
    calls.shutdown();
    try {
      if (!calls.awaitTermination(within.toMillis(), TimeUnit.MILLISECONDS)) {
        calls.shutdownNow();
      }
    } catch (InterruptedException e) {
      calls.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
