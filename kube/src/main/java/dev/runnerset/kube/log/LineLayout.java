package dev.runnerset.kube.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.util.List;
import java.util.Objects;
import org.slf4j.event.KeyValuePair;

/**
 * One line an event, and one for each frame of a stack trace: {@code time LEVEL Logger message
 * key="value"}. What is logged may come from the service or from a pod. So nothing but this class
 * begins a line, no character is left that a terminal obeys, and a quote in a value is escaped.
 */
public final class LineLayout extends LayoutBase<ILoggingEvent> {
  @Override
  public String doLayout(ILoggingEvent event) {
    var line = new StringBuilder(200);
    line.append(LogText.time(event))
        .append(" %-5s ".formatted(event.getLevel()))
        .append(LogText.logger(event))
        .append(' ')
        .append(LogText.clean(event.getFormattedMessage()))
        .append(' ');
    var pairs = Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of());
    for (int i = 0; i < pairs.size(); i++) {
      line.append(i == 0 ? "" : " ")
          .append(LogText.clean(pairs.get(i).key))
          .append("=\"")
          .append(LogText.clean(pairs.get(i).value).replace("\\", "\\\\").replace("\"", "\\\""))
          .append('"');
    }
    line.append(System.lineSeparator());
    StackTrace.lines(event.getThrowableProxy())
        .forEach(each -> line.append(each).append(System.lineSeparator()));
    return line.toString();
  }
}
