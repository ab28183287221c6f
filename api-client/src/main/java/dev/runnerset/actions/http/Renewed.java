package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is renewed once for all its waiting users. The renewal runs on a virtual thread of
 * its own, so that a caller who gives up does not end it for the others. No lock is held meanwhile.
 * A failed renewal leaves the value as it was. Thread-safe.
 */
final class Renewed<S extends Object> {
  private final Supplier<S> renewal;
  private volatile @Nullable S value;
  private @Nullable CompletableFuture<S> underWay; // guarded by this

  /**
   * Starts with a value, or with none.
   *
   * @param renewal blocks; bounded by its own timeouts
   */
  Renewed(@Nullable S first, Supplier<S> renewal) {
    this.value = first;
    this.renewal = renewal;
  }

  /** The newest value, or null before the first renewal. Never blocks. */
  @Nullable S value() {
    return value;
  }

  /** The value if it is good, else the result of the one renewal under way. Never blocks. */
  CompletableFuture<S> unless(Predicate<S> good) {
    var current = value;
    if (current != null && good.test(current)) {
      return CompletableFuture.completedFuture(current);
    }
    return joinOrStart(good);
  }

  private synchronized CompletableFuture<S> joinOrStart(Predicate<S> good) {
    var current = value; // again: a renewal may have ended between the two looks
    if (current != null && good.test(current)) {
      return CompletableFuture.completedFuture(current);
    }
    if (underWay != null) {
      return underWay;
    }
    var started = new CompletableFuture<S>();
    underWay = started;
    Thread.ofVirtual().name("service-renewal").start(() -> renew(started));
    return started;
  }

  private void renew(CompletableFuture<S> waiting) {
    try {
      var next = renewal.get();
      ended(next);
      waiting.complete(next);
    } catch (Throwable e) { // an Error too must reach those who wait
      ended(null);
      waiting.completeExceptionally(e);
    }
  }

  /**
   * What a renewal brings. Blocks for it, at most that long; interruptible.
   *
   * @param what is renewed, for people
   * @throws ServiceException if the renewal failed or is late, or the caller was interrupted
   */
  static <S extends Object> S ended(CompletableFuture<S> renewal, Duration atMost, String what) {
    try {
      return renewal.get(Math.max(1, atMost.toMillis()), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      var late = ServiceError.Details.unanswered("renewal of " + what, "no answer in time");
      throw new ServiceException(new ServiceError.Unavailable(late, null));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var ended = ServiceError.Details.unanswered("renewal of " + what, "interrupted");
      throw new ServiceException(new ServiceError.Cancelled(ended));
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    }
  }

  /** The failure of a renewal, thrown on the thread of one who waited for it. */
  static RuntimeException rethrown(@Nullable Throwable cause) {
    return cause instanceof ServiceException failed
        ? new ServiceException(failed.error(), failed)
        : new IllegalStateException("a renewal broke", cause);
  }

  private synchronized void ended(@Nullable S next) {
    if (next != null) {
      value = next;
    }
    underWay = null;
  }
}
