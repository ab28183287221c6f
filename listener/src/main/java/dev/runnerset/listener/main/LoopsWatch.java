package dev.runnerset.listener.main;

import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the loops, on a thread of the platform, since what stops a loop may stop every
 * virtual thread: a loop that hangs is replaced (SF11). If that happens again and again, only a new
 * process helps, and the probe says so.
 */
final class LoopsWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoopsWatch.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  /** So many loops that hung within {@link #MEMORY} make the process unhealthy. */
  private static final int TOO_MANY = 3;

  private static final Duration MEMORY = Duration.ofMinutes(5);
  private static final Duration CHECKED_WITHIN = Duration.ofSeconds(60);

  private final Loops loops;
  private final Consumer<ListenerSnapshot> replaced;
  private final LongSupplier nanoTime;
  private final Deque<Long> hung = new ArrayDeque<>(); // guarded by this
  private volatile long checkedAt;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("loops-watch").daemon().factory());

  /**
   * Looks from now on.
   *
   * @param replaced called for each loop that hung; must not block
   */
  LoopsWatch(Loops loops, Consumer<ListenerSnapshot> replaced, LongSupplier nanoTime) {
    this.loops = loops;
    this.replaced = replaced;
    this.nanoTime = nanoTime;
    this.checkedAt = nanoTime.getAsLong();
    var _ =
        timer.scheduleWithFixedDelay(
            this::check, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  void check() {
    try {
      for (var listener : loops.replaceStuck(ListenerSettings.STUCK_AFTER)) {
        replaced.accept(listener);
        LOG.atError()
            .addKeyValue("listener", listener.name())
            .log("the loop of a set made no progress; another one takes its place");
        synchronized (this) {
          hung.add(nanoTime.getAsLong());
        }
      }
      checkedAt = nanoTime.getAsLong();
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("the loops were not looked after; tried again");
    }
  }

  /** Whether it looks, and few loops hung lately. */
  synchronized boolean isHealthy() {
    var now = nanoTime.getAsLong();
    hung.removeIf(at -> now - at > MEMORY.toNanos());
    return hung.size() < TOO_MANY && now - checkedAt < CHECKED_WITHIN.toNanos();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
