package dev.runnerset.listener.main;

import dev.runnerset.listener.session.DesiredState;
import dev.runnerset.listener.session.Inbox;
import dev.runnerset.listener.session.ListenerSnapshot;
import dev.runnerset.listener.session.PollAnswer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The inbox of one loop: the latest wish and the latest answer, no queue. Thread-safe. */
final class LoopInbox implements Inbox {
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private DesiredState wish; // guarded by lock
  private @Nullable PollAnswer answer; // guarded by lock
  private boolean news; // guarded by lock
  private volatile @Nullable Thread thread;

  LoopInbox(Clock clock, ListenerSnapshot first) {
    this.clock = clock;
    this.wish = new DesiredState.Hold(first);
  }

  /** Which thread the loop runs on. */
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

  /** The listener object as it is now; a stop stands. */
  void seen(ListenerSnapshot listener) {
    put(() -> {
      if (wish instanceof DesiredState.Hold) {
        wish = new DesiredState.Hold(listener);
      }
    });
  }

  void stop(DesiredState.StopReason reason) {
    put(() -> wish = new DesiredState.Stop(reason));
  }

  void answered(PollAnswer latest) {
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
  public DesiredState wish() {
    lock.lock();
    try {
      return wish;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable PollAnswer takeAnswer() {
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
    }
  }
}
