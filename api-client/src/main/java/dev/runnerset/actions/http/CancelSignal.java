package dev.runnerset.actions.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Call;

/** Ends calls and waits from another thread, once and for good. Thread-safe. */
final class CancelSignal {
  private final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();

  void cancel() {
    cancelled.complete(true);
    calls.forEach(Call::cancel);
  }

  boolean isCancelled() {
    return cancelled.isDone();
  }

  void attach(Call call) {
    calls.add(call);
    if (isCancelled()) { // maybe after cancel() went through the calls
      call.cancel();
    }
  }

  void detach(Call call) {
    calls.remove(call);
  }

  /** Waits for that long, or until cancelled. */
  void await(Duration duration) throws InterruptedException {
    try {
      cancelled.get(duration.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return; // it was waited out
    } catch (ExecutionException e) {
      throw new IllegalStateException("a signal does not fail", e);
    }
  }

  /** Waits until the other has ended or this is cancelled, for so long at most. */
  void awaitEnd(CompletableFuture<?> other, Duration most) throws InterruptedException {
    try {
      CompletableFuture.anyOf(cancelled, other).get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return; // whoever asks the other will see
    }
  }
}
