package dev.runnerset.controller.autoscalingrunnerset;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The time.
 *
 * @param now of everything but schedules
 * @param ofSchedules of the windows of schedules; a rehearsal has its days pass in seconds
 * @param nanoTime a clock that no administrator sets, as {@link System#nanoTime}
 */
public record Clocks(Clock now, Clock ofSchedules, LongSupplier nanoTime) {
  /** One time for all that is set by administrators. */
  public static Clocks of(Clock clock, LongSupplier nanoTime) {
    return new Clocks(clock, clock, nanoTime);
  }
}
