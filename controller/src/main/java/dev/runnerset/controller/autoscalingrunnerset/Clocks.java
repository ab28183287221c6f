package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.rounds.Followed;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The time, and what runs by it.
 *
 * @param now of everything but schedules
 * @param ofSchedules of the windows of schedules; a rehearsal has its days pass in seconds
 * @param nanoTime a clock that no administrator sets, as {@link System#nanoTime}
 * @param timers makes the timer of each name
 * @param passes learns of each reconciliation and of when the framework repeats it; a test whose
 *     clock jumps repeats it then
 */
public record Clocks(
    Clock now,
    Clock ofSchedules,
    LongSupplier nanoTime,
    Function<String, Followed.Timer> timers,
    Metrics passes) {
  /** One time for all that is set by administrators. */
  public static Clocks of(Clock clock, LongSupplier nanoTime) {
    return of(clock, clock, nanoTime);
  }

  /** One time for all but schedules, which have their own. */
  public static Clocks of(Clock now, Clock ofSchedules, LongSupplier nanoTime) {
    return new Clocks(now, ofSchedules, nanoTime, Followed::onThread, Metrics.NOOP);
  }

  /** Rounds by the timer of that name, each a period after the one before has ended. */
  public Followed every(String name, Duration period, Runnable round) {
    return Followed.rounds(timers.apply(name), period, period, round);
  }
}
