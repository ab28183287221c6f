package dev.runnerset.simulator.kube.store;

import dev.runnerset.simulator.kube.status.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The last changes of one resource. Watches read it at their own pace with a cursor, so that a
 * change costs the writer the same however many watch. Thread-safe.
 */
public final class EventLog {
  /** About ten writes for each of a thousand runners. */
  static final int LIMIT = 10_000;

  private static final int BATCH = 500;

  private final Change[] ring = new Change[LIMIT]; // guarded by this, as all below
  private long next;
  private long first;
  private long forgottenRevision;

  /**
   * @param since nothing is known about changes up to this resourceVersion
   */
  EventLog(long since) {
    this.forgottenRevision = since;
  }

  synchronized void append(Change change) {
    ring[(int) (next % LIMIT)] = change;
    next++;
    if (next - first > LIMIT) {
      forgottenRevision = change(first).revision();
      first++;
    }
    notifyAll();
  }

  /**
   * The cursor after that resourceVersion: the index of the next change to read.
   *
   * @throws ApiException 410 if changes after it are forgotten
   */
  public synchronized long after(long revision) {
    if (revision < forgottenRevision) {
      throw ApiException.expired(
          "too old resource version: " + revision + " (" + (forgottenRevision + 1) + ")");
    }
    long low = first;
    long high = next;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (change(middle).revision() > revision) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Blocks until there is a change at the cursor or the time is over.
   *
   * @return the changes, at most {@value #BATCH}; empty when the time is over
   * @throws ApiException 410 if the reader fell behind
   */
  public synchronized List<Change> read(long cursor, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (cursor >= next) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return List.of();
      }
      wait(left);
    }
    if (cursor < first) {
      throw ApiException.expired("too old resource version: the watch fell behind");
    }
    List<Change> batch = new ArrayList<>();
    for (long i = cursor; i < next && batch.size() < BATCH; i++) {
      batch.add(change(i));
    }
    return batch;
  }

  private Change change(long position) {
    return ring[(int) (position % LIMIT)];
  }
}
