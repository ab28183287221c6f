package dev.runnerset.controller.features.schedule;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.ScheduleWindow;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A window of a schedule: open from each start for a while, in elapsed time. A start while it is
 * open lets it stay open (SC1).
 *
 * @param field where it stands in the spec, for messages
 */
@Pure
record Window(String field, ScheduleWindow spec, StartTimes starts, Duration duration) {
  /**
   * Through so many starts the end of a window is followed: one that never closes has none. What is
   * beyond is looked up when that time comes.
   */
  static final int STARTS_AHEAD = 50;

  /**
   * Whether a window is open.
   *
   * @param until it stays so; {@link Instant#MAX} for ever
   * @param changes whether it is known to change then; else that is looked up then
   */
  record State(boolean open, Instant until, boolean changes) {}

  /**
   * The window of that spec.
   *
   * @throws IllegalArgumentException if there is none, with what to change
   */
  static Window of(String field, ScheduleWindow spec) {
    var starts = new StartTimes(calendar(spec), zone(spec));
    var duration =
        GoDuration.parse(spec.duration())
            .filter(Duration::isPositive)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "duration '%s' is not one: write how long it holds, as 12h"
                        .formatted(cut(spec.duration()))));
    return new Window(field, spec, starts, duration);
  }

  private static CronCalendar calendar(ScheduleWindow spec) {
    try {
      return CronCalendar.parse(String.valueOf(spec.start()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "start '%s' is no cron expression (%s): write minute hour day month weekday, as 0 7 * * 1-5"
              .formatted(cut(spec.start()), cut(e.getMessage())),
          e);
    }
  }

  private static ZoneId zone(ScheduleWindow spec) {
    try {
      return ZoneId.of(String.valueOf(spec.timeZone()));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "timeZone '%s' is unknown: write a name of the time zone database, as Europe/Berlin or UTC"
              .formatted(cut(spec.timeZone())),
          e);
    }
  }

  /** Texts of users are bounded where they are reported. */
  static String cut(@Nullable String text) {
    var whole = String.valueOf(text);
    return whole.length() <= 60 ? whole : whole.substring(0, 60) + "...";
  }

  State at(Instant now) {
    var start = starts.lastUpTo(now);
    if (start.isEmpty() || !start.get().plus(duration).isAfter(now)) {
      return starts
          .nextAfter(now)
          .map(next -> new State(false, next, true))
          .orElse(new State(false, Instant.MAX, false));
    }
    var last = start.get();
    for (int i = 0; i < STARTS_AHEAD; i++) {
      var end = last.plus(duration);
      var next = starts.nextAfter(last);
      if (next.isEmpty() || next.get().isAfter(end)) {
        return new State(true, end, true);
      }
      last = next.get();
    }
    return new State(true, last.plus(duration), false);
  }
}
