package dev.runnerset.controller.gc;

import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import java.time.Duration;
import java.time.Instant;

/** What a sweep notes, for tests of those who read it. */
public final class Sweeps {
  private Sweeps() {}

  /** So many runners of a set went, and their places stay empty. */
  public static void collected(AgeCollection rules, SetKey set, int count, Instant at) {
    collected(rules.ledger(), set, count, true, at);
  }

  /** So many runners of a set went; their places stay empty or not. */
  static void collected(
      CollectionLedger ledger, SetKey set, int count, boolean releasing, Instant at) {
    ledger.reserve(set, releasing ? count : 0);
    var sweep =
        new AgeSweep(Duration.ofHours(1), Duration.ofMinutes(2), 0, releasing).boundedBy(count);
    for (int i = 0; i < count; i++) {
      sweep = sweep.begin(at).end(new Outcome.Removed());
    }
    var _ = ledger.sweepEnded(set, sweep);
  }
}
