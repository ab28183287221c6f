package dev.runnerset.controller.main;

import dev.runnerset.controller.gc.RunnerGc;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs age collection by a timer while this process leads, if its feature gate is on. */
final class WhileLeading implements AutoCloseable {
  private volatile @Nullable RunnerGc gc;

  /** Sets what runs, made with the timer; call it before leadership begins. */
  void runs(Function<RunnerGc.Periodic, RunnerGc> made) {
    gc = made.apply(WhileLeading::onItsOwnThread);
  }

  static AutoCloseable onItsOwnThread(Duration delay, Duration period, Runnable task) {
    var thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("periodic").daemon().factory());
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
