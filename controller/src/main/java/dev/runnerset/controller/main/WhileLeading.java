package dev.runnerset.controller.main;

import dev.runnerset.controller.gc.RunnerGc;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What runs by the clock, and only while this process leads: age collection, if its gate is on. */
final class WhileLeading implements AutoCloseable {
  private volatile @Nullable RunnerGc gc;

  /** To be made with that timer, before leadership begins. */
  void runs(Function<RunnerGc.Periodic, RunnerGc> made) {
    gc = made.apply(WhileLeading::onItsOwnThread);
  }

  private static AutoCloseable onItsOwnThread(Duration delay, Duration period, Runnable task) {
    var thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("runner-gc").daemon().factory());
    var _ =
        thread.scheduleWithFixedDelay(
            task, delay.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    return thread::shutdownNow;
  }

  void begin() {
    var mine = gc;
    if (mine != null) {
      mine.lead();
    }
  }

  @Override
  public void close() {
    var mine = gc;
    if (mine != null) {
      mine.close();
    }
  }
}
