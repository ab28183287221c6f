package dev.runnerset.cli.why;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One thing that somebody observed.
 *
 * @param at when; null if nobody wrote that down
 * @param source where it is written: {@code condition Ready}, {@code event of linux-a}
 * @param text what it says, in one line
 */
public record Fact(@Nullable Instant at, String source, String text) {
  /** The oldest first; without a time last. */
  public static final Comparator<Fact> BY_TIME =
      Comparator.comparing(Fact::at, Comparator.nullsLast(Comparator.naturalOrder()));
}
