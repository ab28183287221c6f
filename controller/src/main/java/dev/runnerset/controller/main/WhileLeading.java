package dev.runnerset.controller.main;

import dev.runnerset.controller.rounds.LeaderWork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Runs what only the leader does, each by a timer of its own, while this process leads. */
final class WhileLeading implements AutoCloseable {
  private final List<LeaderWork> works = new CopyOnWriteArrayList<>();

  /** Adds what runs, made with the timer; call it before leadership begins. */
  void runs(Function<LeaderWork.Periodic, LeaderWork> made) {
    works.add(made.apply(WhileLeading::onItsOwnThread));
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
    works.forEach(LeaderWork::lead);
  }

  @Override
  public void close() {
    works.forEach(LeaderWork::close);
  }
}
