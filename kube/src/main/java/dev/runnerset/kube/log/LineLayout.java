package dev.runnerset.kube.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.LayoutBase;
import dev.runnerset.base.ShortText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * One line an event, and one for each frame of a stack trace: {@code time LEVEL Logger message
 * key="value"}. What is logged may come from the service or from a pod. So nothing but this class
 * begins a line, no character is left that a terminal obeys, and a quote in a value is escaped.
 */
public final class LineLayout extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneOffset.UTC);

  /** In characters, of one value or message. */
  private static final int LONGEST = 4_000;

  private static final int MOST_FRAMES = 5;
  private static final int MOST_CAUSES = 20;

  @Override
  public String doLayout(ILoggingEvent event) {
    var line = new StringBuilder(200);
    line.append(TIME.format(Instant.ofEpochMilli(event.getTimeStamp())))
        .append(" %-5s ".formatted(event.getLevel()))
        .append(event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1))
        .append(' ')
        .append(clean(event.getFormattedMessage()))
        .append(' ');
    var pairs = Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of());
    for (int i = 0; i < pairs.size(); i++) {
      line.append(i == 0 ? "" : " ")
          .append(clean(pairs.get(i).key))
          .append("=\"")
          .append(
              clean(String.valueOf(pairs.get(i).value)).replace("\\", "\\\\").replace("\"", "\\\""))
          .append('"');
    }
    line.append(System.lineSeparator());
    append(line, event.getThrowableProxy());
    return line.toString();
  }

  private static void append(StringBuilder lines, @Nullable IThrowableProxy first) {
    var begin = "";
    var thrown = first;
    for (int i = 0; thrown != null && i < MOST_CAUSES; i++) {
      lines.append(begin).append(clean(thrown.getClassName()));
      if (thrown.getMessage() != null) {
        lines.append(": ").append(clean(thrown.getMessage()));
      }
      lines.append(System.lineSeparator());
      var frames = thrown.getStackTraceElementProxyArray();
      for (int j = 0; frames != null && j < Math.min(frames.length, MOST_FRAMES); j++) {
        lines.append('\t').append(clean(frames[j].toString())).append(System.lineSeparator());
      }
      begin = "Caused by: ";
      thrown = thrown.getCause();
    }
  }

  private static String clean(@Nullable String text) {
    return ShortText.of(String.valueOf(text), LONGEST);
  }
}
