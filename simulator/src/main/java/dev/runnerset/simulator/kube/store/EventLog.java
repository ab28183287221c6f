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
  private long generation;

  /**
   * @param since nothing is known about changes up to this resourceVersion
   */
  EventLog(long since) {
    this.forgottenRevision = since;
  }

  /**
   * @param position index of the next change to read; {@code generation} ends with a drop
   */
  public record Cursor(long position, long generation) {}

  synchronized void append(Change change) {
    ring[(int) (next % LIMIT)] = change;
    next++;
    if (next - first > LIMIT) {
      forgottenRevision = change(first).revision();
      first++;
    }
    notifyAll();
  }

  /** To be asked when a watch begins: {@link #dropWatches} ends those that began before it. */
  public synchronized long generation() {
    return generation;
  }

  /**
   * The place after that resourceVersion.
   *
   * @param begun the generation in which the watch began
   * @throws ApiException 410 if changes after it are forgotten
   */
  public synchronized Cursor after(long revision, long begun) {
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
    return new Cursor(low, begun);
  }

  public synchronized boolean remembers(long revision) {
    return revision >= forgottenRevision;
  }

  /**
   * Blocks until there is a change at the cursor or the time is over.
   *
   * @return the changes, at most {@value #BATCH}; empty when the time is over
   * @throws ApiException 410 if the reader fell behind
   * @throws WatchDropped if watches were told to end
   */
  public synchronized List<Change> read(Cursor cursor, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (cursor.position() >= next && cursor.generation() == generation) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return List.of();
      }
      wait(left);
    }
    if (cursor.generation() != generation) {
      throw new WatchDropped();
    }
    if (cursor.position() < first) {
      throw ApiException.expired("too old resource version: the watch fell behind");
    }
    List<Change> batch = new ArrayList<>();
    for (long i = cursor.position(); i < next && batch.size() < BATCH; i++) {
      batch.add(change(i));
    }
    return batch;
  }

  /** Ends all watches, without an error, as a server does that goes away. */
  public synchronized void dropWatches() {
    generation++;
    notifyAll();
  }

  /** Forgets all changes, as etcd does when it compacts. */
  public synchronized void forget() {
    if (next > first) {
      forgottenRevision = change(next - 1).revision();
      first = next;
    }
  }

  private Change change(long position) {
    return ring[(int) (position % LIMIT)];
  }

  /** The watch is to end now. */
  public static final class WatchDropped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WatchDropped() {
      super("watch dropped", null, false, false);
    }
  }
}
