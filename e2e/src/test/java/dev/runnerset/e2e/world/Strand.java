package dev.runnerset.e2e.world;

import java.util.concurrent.Semaphore;

/**
 * Work that waits in the middle and goes on later. One strand of a world goes on at a time, while
 * the world itself waits: so a world still follows its seed.
 */
final class Strand {
  private final Semaphore mayGoOn = new Semaphore(0);
  private final Semaphore waits = new Semaphore(0);
  private final Runnable work;
  private boolean begun;
  private volatile boolean over;

  Strand(Runnable work) {
    this.work = work;
  }

  /** Lets the work begin, or go on, until it waits or is over. */
  void goOn() {
    if (begun) {
      mayGoOn.release();
    } else {
      begun = true;
      var _ = Thread.ofVirtual().start(this::run);
    }
    waits.acquireUninterruptibly();
  }

  private void run() {
    try {
      work.run();
    } finally {
      over = true;
      waits.release();
    }
  }

  /** The work waits until it may go on; called by the work. */
  void pause() {
    waits.release();
    mayGoOn.acquireUninterruptibly();
  }

  boolean isOver() {
    return over;
  }
}
