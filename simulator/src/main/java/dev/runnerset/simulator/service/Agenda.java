package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * What is to happen later, by instant, then in the order it was noted; each act gets the instant it
 * was due. Not thread-safe.
 */
final class Agenda {
  private record Entry(Instant due, long number, Consumer<Instant> act) {}

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparing(Entry::due).thenComparingLong(Entry::number));
  private long next;

  void at(Instant due, Consumer<Instant> act) {
    entries.add(new Entry(due, next++, act));
  }

  /** Runs all that is due; acts may note further ones. */
  void runDue(Instant now) {
    for (var first = entries.peek();
        first != null && !first.due().isAfter(now);
        first = entries.peek()) {
      entries.remove();
      first.act().accept(first.due());
    }
  }
}
