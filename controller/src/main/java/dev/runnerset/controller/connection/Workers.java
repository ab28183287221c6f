package dev.runnerset.controller.connection;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that reconcile. One that waits for a service steps aside: it counts for none, and
 * another one takes its place, so that those who do not wait always have as many. Thread-safe.
 */
public final class Workers {
  private static final ThreadLocal<Boolean> WORKER = new ThreadLocal<>();

  private final int size;
  private final ThreadPoolExecutor pool;
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().name("late-calls").daemon().factory());
  private int aside; // guarded by this

  /** That many; none is started before there is work. */
  public Workers(int size) {
    this.size = size;
    var number = new AtomicInteger();
    this.pool =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task ->
                Thread.ofVirtual()
                    .name("reconcile-" + number.incrementAndGet())
                    .unstarted(() -> {
                      WORKER.set(true);
                      task.run();
                    }),
            new ThreadPoolExecutor.DiscardPolicy()); // the framework hands over work after the end
    timer.setRemoveOnCancelPolicy(true);
  }

  /** A thread that another one stands in for, until this is closed. */
  interface Aside extends AutoCloseable {
    @Override
    void close();
  }

  /** Does nothing: the caller is not a worker thread. */
  static final Aside NOBODY = () -> {};

  /** What runs tasks on these threads, in the order in which they come. */
  public ExecutorService executor() {
    return pool;
  }

  /** Whether the calling thread is one of them. */
  static boolean isWorker() {
    return Boolean.TRUE.equals(WORKER.get());
  }

  /** Another thread stands in for a worker, the calling one or another. */
  Aside stepAside() {
    resize(1);
    return () -> resize(-1);
  }

  /** Runs the task once after that time, unless the returned one is run before. */
  Runnable after(Duration time, Runnable task) {
    var scheduled = timer.schedule(task, time.toMillis(), TimeUnit.MILLISECONDS);
    return () -> scheduled.cancel(false);
  }

  private synchronized void resize(int by) {
    aside += by;
    if (by > 0) {
      pool.setMaximumPoolSize(size + aside);
      pool.setCorePoolSize(size + aside);
    } else {
      pool.setCorePoolSize(size + aside);
      pool.setMaximumPoolSize(size + aside);
    }
  }

  /**
   * Ends: what waits for a thread never begins, and what runs is interrupted after that time.
   * Blocks until then.
   */
  public void end(Duration within) {
    pool.shutdown();
    pool.getQueue().clear();
    try {
      if (!pool.awaitTermination(within.toMillis(), TimeUnit.MILLISECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
    timer.shutdownNow();
  }
}
