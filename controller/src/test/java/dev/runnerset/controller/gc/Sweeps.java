package dev.runnerset.controller.gc;

import java.time.Instant;

/** What a sweep notes, for tests of those who read it. */
public final class Sweeps {
  private Sweeps() {}

  /** So many runners of a set went, and their places stay empty. */
  public static void collected(AgeCollection rules, SetKey set, int count, Instant at) {
    rules.ledger().reserve(set, count);
    rules.ledger().collected(set, count, count, count, at);
  }
}
