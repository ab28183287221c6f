package dev.runnerset.listener.main;

import dev.runnerset.listener.session.context.DesiredState;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.Polls;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The inbox of one loop. Thread-safe. */
final class LoopInbox implements Inbox {
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private DesiredState desired; // guarded by lock
  private Polls.@Nullable Answer answer; // guarded by lock
  private boolean news; // guarded by lock
  private volatile @Nullable Thread thread;
  private volatile long progressAt; // by nanoTime
  private volatile boolean waiting;
  private final LongSupplier nanoTime;

  LoopInbox(Clock clock, LongSupplier nanoTime, ListenerSnapshot first) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.desired = new DesiredState.Hold(first);
    this.progressAt = nanoTime.getAsLong();
  }

  @Override
  public void progress() {
    progressAt = nanoTime.getAsLong();
  }

  /** How long the loop has neither waited here nor ended a request. */
  Duration busyFor() {
    return waiting ? Duration.ZERO : Duration.ofNanos(nanoTime.getAsLong() - progressAt);
  }

  /** The thread that the loop runs on. */
  void runs(Thread loop) {
    thread = loop;
  }

  boolean isOnThisThread() {
    return Thread.currentThread() == thread;
  }

  void interrupt() {
    var loop = thread;
    if (loop != null) {
      loop.interrupt();
    }
  }

  /** Waits for the loop's thread to end; false when it did not. */
  boolean awaitEnd(Duration time) {
    var loop = thread;
    try {
      return loop == null || loop.join(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The listener object as it is now; a loop that has to stop does so all the same. */
  void seen(ListenerSnapshot listener) {
    put(() -> {
      if (desired instanceof DesiredState.Hold) {
        desired = new DesiredState.Hold(listener);
      }
    });
  }

  void stop(DesiredState.StopReason reason) {
    put(() -> desired = new DesiredState.Stop(reason));
  }

  void answered(Polls.Answer latest) {
    put(() -> {
      if (answer == null || answer.poll() <= latest.poll()) {
        answer = latest;
      }
    });
  }

  private void put(Runnable change) {
    lock.lock();
    try {
      change.run();
      news = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public DesiredState desired() {
    lock.lock();
    try {
      return desired;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Polls.@Nullable Answer takeAnswer() {
    lock.lock();
    try {
      var taken = answer;
      answer = null;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void await(@Nullable Instant until) throws InterruptedException {
    waiting = true;
    lock.lockInterruptibly();
    try {
      while (!news && (until == null || clock.instant().isBefore(until))) {
        if (until == null) {
          changed.await();
        } else {
          var left = Duration.between(clock.instant(), until);
          var _ = changed.await(Math.max(1, left.toMillis()), TimeUnit.MILLISECONDS);
        }
      }
      news = false;
    } finally {
      lock.unlock();
      progress();
      waiting = false;
    }
  }
}
