package dev.runnerset.actions.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Bounds what the answers that are under way may take of the memory, for all connections of the
 * process: who may make a set chooses who answers (CN6), and has as many sets as he likes.
 *
 * <p>Each answer begins with {@link #STEP} bytes for nothing. What it has beyond that is taken from
 * one store. If the store is empty an answer waits, and the one that has held its part for the
 * longest, beyond a time in which an honest one ends, is given up: a body that drips holds up
 * nobody. An answer that is there is read by a few threads at a time, which wait for no network.
 * Thread-safe.
 */
final class LargeAnswers {
  /** What an answer may take for nothing, and by how much it grows, in bytes. */
  static final int STEP = 16 * 1024;

  private static final int STORE = 6 * 1024 * 1024;

  /** What reading takes is several times the answer. */
  private static final int READERS = 2;

  private static final Duration HONEST = Duration.ofSeconds(2);
  private static final long RECHECK_MILLIS = 20;

  static final LargeAnswers OF_PROCESS = new LargeAnswers(STORE, HONEST, System::nanoTime);

  /** The place of the call that the present thread makes. */
  static final ScopedValue<Place> OF_CALL = ScopedValue.newInstance();

  /**
   * The most that comes in for one call: the longest body, and as much as the library takes of
   * headers, in bytes.
   */
  static final int MOST_RECEIVED = Endpoint.LONGEST_LIST + 256 * 1024;

  private final long store;
  private final Duration honest;
  private final LongSupplier nanos;
  private final Semaphore readers = new Semaphore(READERS);
  private final Set<Place> oldestFirst = new LinkedHashSet<>(); // guarded by this
  private long taken; // guarded by this

  /**
   * An empty store.
   *
   * @param store in bytes
   * @param honest how long an answer may hold a part of it while others wait
   * @param nanos as {@link System#nanoTime}
   */
  LargeAnswers(long store, Duration honest, LongSupplier nanos) {
    this.store = store;
    this.honest = honest;
    this.nanos = nanos;
  }

  /** The failure of an answer that was given up. */
  static IOException taken() {
    return new SocketException("the answer came slowly, and others needed the memory that it held");
  }

  /**
   * The place of an answer that begins.
   *
   * @param giveUp ends the answer, so that its thread closes the place soon; must not block
   * @param isOver whether the answer was ended, by whomever; must not block
   */
  Place begin(Runnable giveUp, BooleanSupplier isOver) {
    return new Place(giveUp, isOver);
  }

  /** How many bytes of the store are taken. */
  synchronized long takenBytes() {
    return taken;
  }

  private synchronized void giveUpOldest() {
    for (var place : oldestFirst) {
      boolean isSlow = nanos.getAsLong() - place.since >= honest.toNanos();
      if (isSlow && !place.isWhole && !place.isTaken) {
        place.isTaken = true;
        place.giveUp.run();
        return;
      }
    }
  }

  /** What one answer has taken. Used by the thread of its call. */
  final class Place implements AutoCloseable {
    private final Runnable giveUp;
    private final BooleanSupplier isOver;
    private boolean begun; // guarded by LargeAnswers.this
    private long bytes; // guarded by LargeAnswers.this
    private long since; // guarded by LargeAnswers.this
    private boolean isWhole; // guarded by LargeAnswers.this
    private volatile boolean isTaken;
    private int received; // by the thread of the call

    private Place(Runnable giveUp, BooleanSupplier isOver) {
      this.giveUp = giveUp;
      this.isOver = isOver;
    }

    /** Whether it was given up: the answer fails, and this is why. */
    boolean isTaken() {
      return isTaken;
    }

    /**
     * The answer is longer by so many bytes. Blocks while there is no room for them.
     *
     * @throws IOException if it was given up meanwhile
     */
    void grow(int more) throws IOException {
      synchronized (LargeAnswers.this) {
        if (!begun) {
          begun = true;
          return;
        }
        while (taken + more > store && !isTaken && !isOver.getAsBoolean()) {
          giveUpOldest();
          await();
        }
        if (isTaken || isOver.getAsBoolean()) {
          throw isTaken ? LargeAnswers.taken() : new SocketException("cancelled");
        }
        if (oldestFirst.add(this)) {
          since = nanos.getAsLong();
        }
        taken += more;
        bytes += more;
      }
    }

    private void await() throws InterruptedIOException {
      try {
        LargeAnswers.this.wait(RECHECK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }

    /**
     * So many bytes came in on a connection for the call. Blocks like {@link #grow}.
     *
     * @throws IOException also if more came than the longest answer has
     */
    void receive(int more) throws IOException {
      int before = received / STEP;
      received += more;
      if (received > MOST_RECEIVED) {
        throw new SocketException("more than " + MOST_RECEIVED + " bytes came as one answer");
      }
      for (int step = before; step < received / STEP; step++) {
        grow(STEP);
      }
    }

    /** Reads an answer that is there; one that took nothing of the store does not wait for that. */
    <T extends Object> T alone(Reading<T> reading) throws IOException {
      boolean isLarge;
      synchronized (LargeAnswers.this) {
        isWhole = true;
        isLarge = bytes > 0;
      }
      if (!isLarge) {
        return reading.read();
      }
      readers.acquireUninterruptibly();
      try {
        return reading.read();
      } finally {
        readers.release();
      }
    }

    /** Gives back what it has taken. */
    @Override
    public void close() {
      synchronized (LargeAnswers.this) {
        taken -= bytes;
        bytes = 0;
        if (oldestFirst.remove(this)) {
          LargeAnswers.this.notifyAll();
        }
      }
    }
  }

  /** Makes something of an answer. */
  interface Reading<T extends Object> {
    T read() throws IOException;
  }
}
