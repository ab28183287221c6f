package dev.runnerset.controller.features.schedule;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.runnerset.base.Pure;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The local times that a cron expression of five fields names. Knows no time zone: the library is
 * asked in UTC only, since it leaves out the starts that daylight saving skips and counts those
 * that daylight saving repeats once forwards and twice backwards (ADR 39).
 */
@Pure
record CronCalendar(ExecutionTime times) {
  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  /** The library also joins expressions with bars, which cron does not know. */
  private static final Pattern CHARACTERS = Pattern.compile("[0-9A-Za-z*/,\\- \\t]*");

  private static final String PREFIX = "Failed to parse cron expression. ";

  private static final LocalDateTime SOME_TIME = LocalDateTime.of(2000, 1, 1, 0, 0);

  /**
   * The calendar of that expression.
   *
   * @throws IllegalArgumentException with the reason, for people, if there is none
   */
  static CronCalendar parse(String expression) {
    if (!CHARACTERS.matcher(expression).matches()) {
      throw new IllegalArgumentException("a character of it has no meaning");
    }
    var calendar = new CronCalendar(executionTime(expression));
    if (calendar.after(SOME_TIME).isEmpty()) {
      throw new IllegalArgumentException("no month has that day");
    }
    return calendar;
  }

  private static ExecutionTime executionTime(String expression) {
    try {
      return ExecutionTime.forCron(PARSER.parse(expression));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()).replace(PREFIX, ""), e);
    }
  }

  /** The first time after that one; empty if there is none. */
  Optional<LocalDateTime> after(LocalDateTime time) {
    return times.nextExecution(time.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
  }

  /** The last time before that one; empty if there is none. */
  Optional<LocalDateTime> before(LocalDateTime time) {
    return times.lastExecution(time.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
  }
}
