package dev.runnerset.simulator.node;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** Places for pods; a pod waits in line while no place is free. Thread-safe. */
final class Slots {
  private final ArrayDeque<CompletableFuture<Void>> line = new ArrayDeque<>(); // guarded by this
  private int free; // guarded by this

  Slots(int free) {
    this.free = free;
  }

  /** Completes when a place is held; done already if one was free. */
  synchronized CompletableFuture<Void> request() {
    var slot = new CompletableFuture<Void>();
    if (free > 0) {
      free--;
      slot.complete(null);
    } else {
      line.add(slot);
    }
    return slot;
  }

  /** Gives the place back, or leaves the line. */
  void giveUp(CompletableFuture<Void> slot) {
    CompletableFuture<Void> next = null;
    synchronized (this) {
      if (!line.remove(slot)) {
        next = line.poll();
        if (next == null) {
          free++;
        }
      }
    }
    if (next != null) {
      next.complete(null);
    }
  }
}
