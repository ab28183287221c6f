package dev.runnerset.kube.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.runnerset.base.ShortText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** What both forms of the log share. */
final class LogText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneOffset.UTC);

  /** In characters, of one value or message. */
  private static final int LONGEST = 4_000;

  private LogText() {}

  /** In UTC, by RFC 3339. */
  static String time(ILoggingEvent event) {
    return TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
  }

  /** The name of the class that logs. */
  static String logger(ILoggingEvent event) {
    return event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1);
  }

  /** Of one line, without what a terminal obeys, and cut if it is long. */
  static String clean(@Nullable Object value) {
    return ShortText.of(String.valueOf(value), LONGEST);
  }
}
