package dev.runnerset.listener.kube;

import dev.runnerset.base.BriefThread;
import dev.runnerset.base.Intercepted;
import dev.runnerset.listener.session.context.KubeRefusal;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The turns of the requests that all loops make to the API server: so many at once, since a
 * thousand loops begin in the same moment, and each request holds memory (docs/adr/0091).
 * Thread-safe.
 */
public final class PacedRequests {
  private static final int AT_ONCE = 64;

  private final Semaphore turns;
  private final Duration turn;

  /** A request waits for its turn for at most 15 s: then the server hangs. */
  public PacedRequests() {
    this(AT_ONCE, Duration.ofSeconds(15));
  }

  PacedRequests(int atOnce, Duration turn) {
    this.turns = new Semaphore(atOnce, true);
    this.turn = turn;
  }

  /**
   * The same object, each call of which waits for its turn and runs on a thread of its own. A call
   * that gets no turn throws {@link KubeRefusal}.
   *
   * @param type an interface whose methods throw no checked exceptions
   */
  public <T> T of(Class<T> type, T target) {
    return Intercepted.of(type, target, (_, _, call) -> inTurn(call));
  }

  private @Nullable Object inTurn(Supplier<@Nullable Object> call) {
    if (!hasTurn()) {
      throw new KubeRefusal(
          KubeRefusal.Kind.UNAVAILABLE, "earlier requests wait for the API server; tried again");
    }
    try {
      return BriefThread.<@Nullable Object>call(call);
    } finally {
      turns.release();
    }
  }

  private boolean hasTurn() {
    try {
      return turns.tryAcquire(turn.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
