package dev.runnerset.controller.rounds;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Whether the right to list what an informer follows is refused. The log says once what that means,
 * until it was read again. Thread-safe.
 */
public final class RefusedList {
  private static final int FORBIDDEN = 403;

  private final Supplier<@Nullable String> lastList;
  private final Logger log;
  private final String meaning;
  private final AtomicBoolean reported = new AtomicBoolean();

  /** What the last list returned when the right was refused; null if it was not refused since. */
  private volatile @Nullable String refusedAfter;

  /**
   * Nothing failed yet.
   *
   * @param lastList the version of the last list of the informer; it changes with the next one
   * @param meaning a line of the log: what does not work, and what to do
   */
  public RefusedList(Supplier<@Nullable String> lastList, Logger log, String meaning) {
    this.lastList = lastList;
    this.log = log;
    this.meaning = meaning;
  }

  /** The informer failed to list or to watch, and tries again. */
  public void failed(Throwable failure) {
    if (isForbidden(failure)) {
      refusedAfter = last();
    }
    var event = reported.compareAndSet(false, true) ? log.atWarn() : log.atDebug();
    event.addKeyValue("why", failure.toString()).log(meaning);
  }

  /** A list that succeeds shows that the right is there; one without objects brings no event. */
  public boolean isRefused() {
    var after = refusedAfter;
    if (after != null && !after.equals(last())) {
      worked();
    }
    return refusedAfter != null;
  }

  /** The informer has brought an object, perhaps before its list is over. */
  public void worked() {
    refusedAfter = null;
    reported.set(false);
  }

  private String last() {
    return String.valueOf(lastList.get());
  }

  private static boolean isForbidden(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException e && e.getCode() == FORBIDDEN) {
        return true;
      }
    }
    return false;
  }
}
