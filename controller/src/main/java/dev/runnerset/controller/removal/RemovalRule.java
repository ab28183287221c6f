package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rule by which runners of a set are removed; nothing else removes idle ones. The rules have an
 * order. The first one that has a runner to remove has its turn; after each answer of the service
 * all of them plan again, so that no plan is older than the last answer. Thread-safe.
 */
@Pure
public interface RemovalRule {
  /**
   * Runners beyond those that are wanted.
   *
   * @param count how many may go; 0 for none
   * @param since since when there are any; null if there are none
   */
  record Surplus(int count, @Nullable Instant since) {}

  /** Why runners go by it; no other rule has that reason. */
  RemovalReason reason();

  /**
   * The runners that go by it now.
   *
   * @return candidates in their order, and how many of them at most
   */
  RemovalPlan plan(SetMoment moment, Surplus surplus);

  /** How many runners there should be beyond those wanted, while the rule replaces some. */
  default int surge(SetMoment moment) {
    return 0;
  }

  /** How many wanted runners are not made, since the rule leaves their places empty. */
  default int emptyPlaces(SetMoment moment) {
    return 0;
  }

  /** Whether a removal that the rule chose may begin, which it does then; must not block. */
  default boolean begins(Slots slots, Instant now) {
    return true;
  }

  /** A removal that began has ended. */
  default void ended(Slots slots, Outcome outcome) {}
}
