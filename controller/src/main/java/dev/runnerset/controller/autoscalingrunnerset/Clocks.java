package dev.runnerset.controller.autoscalingrunnerset;

import java.time.Clock;

/**
 * The time.
 *
 * @param now of everything but schedules
 * @param ofSchedules of the windows of schedules; a rehearsal has its days pass in seconds
 */
public record Clocks(Clock now, Clock ofSchedules) {
  /** One time for all. */
  public static Clocks of(Clock clock) {
    return new Clocks(clock, clock);
  }
}
