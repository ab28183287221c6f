package dev.runnerset.controller.features.idleage;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One sweep of a set for runners that are idle for too long: its limits, and what it may still do
 * (AC5 to AC8). A removal that fails is the turn of the next runner. Immutable.
 *
 * @param left how many runners it may still remove; null until its first plan
 * @param begun how many removals it began that did not fail
 * @param underWay how many of them have no answer yet
 * @param spare how many more of them may fail
 * @param failed how many failed without an answer of the service
 * @param since when the first of them began; null before
 */
@Pure
record AgeSweep(
    Limits limits,
    @Nullable Integer left,
    int begun,
    int underWay,
    int spare,
    int failed,
    @Nullable Instant since) {
  /** How many removals may fail in a sweep before the rest is left to the next one. */
  static final int SPARE = 10;

  /**
   * The limits of a sweep.
   *
   * @param maximum runners that are idle for longer are removed; positive
   * @param minimum no younger runner is removed, counted from its creation
   * @param minRunners how many idle runners the set should have
   * @param releasing whether the places of removed runners stay empty
   */
  record Limits(Duration maximum, Duration minimum, int minRunners, boolean releasing) {}

  /** A sweep that begins; its first plan says how many runners it may remove. */
  AgeSweep(Duration maximum, Duration minimum, int minRunners, boolean releasing) {
    this(new Limits(maximum, minimum, minRunners, releasing), null, 0, 0, SPARE, 0, null);
  }

  /** The sweep with that bound. */
  AgeSweep boundedBy(int most) {
    return new AgeSweep(limits, most, begun, underWay, spare, failed, since);
  }

  /** After a removal of it began. */
  AgeSweep begin(Instant now) {
    var first = since == null ? now : since;
    return new AgeSweep(limits, leftNow() - 1, begun + 1, underWay + 1, spare, failed, first);
  }

  /** After a removal of it ended. */
  AgeSweep end(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Removed _, Outcome.ResourceLeft(), Outcome.UnderWay() ->
          new AgeSweep(limits, leftNow(), begun, underWay - 1, spare, failed, since);
      case Outcome.Refused() -> anothersTurn(failed);
      case Outcome.Failed _ -> anothersTurn(failed + 1);
    };
  }

  /** It ends at its second failure (AC7). */
  private AgeSweep anothersTurn(int nowFailed) {
    int nowLeft = nowFailed > 1 || spare == 0 ? 0 : leftNow() + 1;
    return new AgeSweep(limits, nowLeft, begun - 1, underWay - 1, spare - 1, nowFailed, since);
  }

  int leftNow() {
    return left == null ? 0 : left;
  }
}
