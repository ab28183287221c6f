package dev.runnerset.kube.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.KeyValuePair;

/** Whatever is logged, each event is one line, and one object. */
final class JsonLayoutTest {
  private final LoggerContext context = new LoggerContext();
  private final LogLayout layout = new LogLayout();

  JsonLayoutTest() {
    layout.setFormat("json");
  }

  private JsonNode logged(String message, Throwable thrown, KeyValuePair... pairs)
      throws Exception {
    var logger = context.getLogger("dev.runnerset.listener.DroppedMarks");
    var event = new LoggingEvent("", logger, Level.WARN, message, thrown, null);
    event.setInstant(Instant.parse("2026-11-27T10:11:12.345Z"));
    Arrays.stream(pairs).forEach(event::addKeyValuePair);
    var line = layout.doLayout(event);
    assertThat(line).hasLineCount(1).endsWith("\n").hasSizeLessThan(60_000);
    return new ObjectMapper().readTree(line);
  }

  @Test
  void anEventIsAnObjectOfFlatKeys() throws Exception {
    var pairs =
        new KeyValuePair[] {
          new KeyValuePair("runner", "r1"),
          new KeyValuePair("registration", 7),
          new KeyValuePair("confirmed", true),
          new KeyValuePair("why", null)
        };
    assertThat(logged("dropped what a message says", null, pairs))
        .hasToString(
            "{\"time\":\"2026-11-27T10:11:12.345Z\",\"level\":\"WARN\",\"logger\":\"DroppedMarks\","
                + "\"message\":\"dropped what a message says\",\"runner\":\"r1\",\"registration\":7,"
                + "\"confirmed\":true,\"why\":\"null\"}");
  }

  @Test
  void aKeyThatIsTakenChangesItsName() throws Exception {
    var line =
        logged(
            "m",
            new IllegalStateException("e"),
            new KeyValuePair("level", "high"),
            new KeyValuePair("set", "a"),
            new KeyValuePair("set", "b"));
    assertThat(line.path("level").asText()).isEqualTo("WARN");
    assertThat(line.path("level_").asText()).isEqualTo("high");
    assertThat(line.path("set").asText() + line.path("set_").asText()).isEqualTo("ab");
    assertThat(line.path("error").asText()).isEqualTo("java.lang.IllegalStateException: e");
  }

  @ParameterizedTest
  @ValueSource(strings = {"time", "level", "logger", "message", "error", "stack"})
  void aKeyOfTheLayoutStaysWhatItIs(String key) throws Exception {
    var thrown = new IllegalStateException("e");
    var line = logged("m", thrown, new KeyValuePair(key, "mine"), new KeyValuePair(key, "again"));
    assertThat(line.path(key)).isEqualTo(logged("m", thrown).path(key));
    assertThat(line.path(key + "_").asText()).isEqualTo("mine");
    assertThat(line.path(key + "__").asText()).isEqualTo("again");
  }

  @Test
  void withoutAnExceptionItsKeysAreFree() throws Exception {
    assertThat(logged("m", null, new KeyValuePair("error", "e")).path("error").asText())
        .isEqualTo("e");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "two\nlines\r\nand\u2028more",
        "a \"quote\", a \\ and a }",
        "\u001B[31mred\u0007\u0000\u0085",
        "half of a pair \uD83D",
        ""
      })
  void aTextStaysInItsValue(String text) throws Exception {
    var line = logged(text, new IllegalStateException(text), new KeyValuePair("name", text));
    assertThat(line.path("name").asText())
        .isEqualTo(line.path("message").asText())
        .doesNotContainPattern("\\p{Cntrl}");
    assertThat(line.size()).isEqualTo(7);
  }

  @Test
  void aMegabyteIsCut() throws Exception {
    var text = "x".repeat(1 << 20);
    var line = logged(text, new IllegalStateException(text), new KeyValuePair(text, text));
    assertThat(line.path("message").asText()).hasSize(4_000).endsWith("…");
    assertThat(line.path("stack").asText()).hasSizeLessThan(9_000);
  }

  @Test
  void aLongStackIsCut() throws Exception {
    Throwable thrown = new IllegalStateException("0");
    for (int i = 1; i < 100; i++) {
      thrown = new IllegalStateException(Integer.toString(i), thrown);
    }
    assertThat(logged("m", thrown).path("stack").asText().lines())
        .hasSizeLessThanOrEqualTo(120)
        .contains(
            "java.lang.IllegalStateException: 99",
            "Caused by: java.lang.IllegalStateException: 98");
  }

  @Test
  void anotherWordIsReportedAndTextIsUsed() {
    var other = new LogLayout();
    other.setContext(context);
    other.setFormat("yaml");
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .anySatisfy(status ->
            assertThat(status.getMessage())
                .isEqualTo("RUNNERSET_LOG_FORMAT is yaml: use text or json"));
    var event = new LoggingEvent("", context.getLogger("a.B"), Level.INFO, "m", null, null);
    assertThat(other.doLayout(event)).contains(" INFO  B m");
  }
}
