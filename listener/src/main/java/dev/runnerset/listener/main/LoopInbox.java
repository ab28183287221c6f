package dev.runnerset.listener.main;

import dev.runnerset.listener.session.context.DesiredState;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.Polls;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The inbox of one loop. Thread-safe. */
final class LoopInbox implements Inbox {
  private final Clock clock;

  private DesiredState desired; // guarded by this
  private Polls.@Nullable Answer answer; // guarded by this
  private boolean news; // guarded by this
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
  synchronized void seen(ListenerSnapshot listener) {
    if (desired instanceof DesiredState.Hold) {
      desired = new DesiredState.Hold(listener);
      wake();
    }
  }

  synchronized void stop(DesiredState.StopReason reason) {
    desired = new DesiredState.Stop(reason);
    wake();
  }

  synchronized void answered(Polls.Answer latest) {
    if (answer == null || answer.poll() <= latest.poll()) {
      answer = latest;
      wake();
    }
  }

  private synchronized void wake() {
    news = true;
    notifyAll();
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public synchronized DesiredState desired() {
    return desired;
  }

  @Override
  public synchronized Polls.@Nullable Answer takeAnswer() {
    var taken = answer;
    answer = null;
    return taken;
  }

  @Override
  public synchronized void await(@Nullable Instant until) throws InterruptedException {
    waiting = true;
    try {
      while (!news && (until == null || clock.instant().isBefore(until))) {
        wait(until == null ? 0 : Math.max(1, clock.instant().until(until).toMillis()));
      }
      news = false;
    } finally {
      progress();
      waiting = false;
    }
  }
}
