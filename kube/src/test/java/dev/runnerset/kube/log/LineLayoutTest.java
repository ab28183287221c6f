package dev.runnerset.kube.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** What the service or a pod says can forge no line of the log. */
final class LineLayoutTest {
  private static final String FORGED =
      "nobody\n2026-11-27T00:00:00Z ERROR Fake \u001B[31m\u0007you\u0085were\u2028hacked\u202E\r token=\"x\\\"";

  private final LoggerContext context = new LoggerContext();
  private final LineLayout layout = new LineLayout();

  private LoggingEvent event(String message, Throwable thrown) {
    var logger = context.getLogger("dev.runnerset.listener.DroppedMarks");
    var event = new LoggingEvent("", logger, Level.WARN, message, thrown, null);
    event.setInstant(Instant.parse("2026-11-27T10:11:12.345Z"));
    return event;
  }

  @Test
  void aLineHasTimeLevelLoggerMessageAndPairs() {
    var event = event("dropped what a message says", null);
    event.addKeyValuePair(new KeyValuePair("runner", "r1"));
    event.addKeyValuePair(new KeyValuePair("registration", 7));
    assertThat(layout.doLayout(event))
        .isEqualTo(
            "2026-11-27T10:11:12.345Z WARN  DroppedMarks dropped what a message says runner=\"r1\""
                + " registration=\"7\"\n");
  }

  @Test
  void aValueBeginsNoLineAndEndsNoValue() {
    var event = event(FORGED, null);
    event.addKeyValuePair(new KeyValuePair("runner", FORGED));
    var line = layout.doLayout(event);
    assertThat(line).hasLineCount(1).doesNotContainPattern("[\\x00-\\x09\\x0B-\\x1F\\x7F-\\x9F]");
    assertThat(line).doesNotContain("\u2028", "\u202E").endsWith(" token=\\\"x\\\\\\\"\"\n");
  }

  @Test
  void theMessageOfAnExceptionBeginsNoLine() {
    var thrown = new IllegalStateException(FORGED, new IllegalArgumentException(FORGED));
    assertThat(layout.doLayout(event("failed", thrown)).lines())
        .hasSizeBetween(5, 13)
        .allMatch(l ->
            l.startsWith("2026-11-27T10:11:12.345Z WARN ")
                || l.startsWith("java.lang.IllegalStateException: nobody 2026")
                || l.startsWith("Caused by: java.lang.IllegalArgumentException: nobody 2026")
                || l.startsWith("\tat "));
  }
}
