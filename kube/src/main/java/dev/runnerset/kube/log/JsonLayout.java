package dev.runnerset.kube.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.event.KeyValuePair;

/**
 * One JSON object in one line for each event: {@code time}, {@code level}, {@code logger} and
 * {@code message}, then what the line is about, as {@code namespace} and {@code set}, then {@code
 * error} and {@code stack} of an exception. Numbers and booleans stay what they are. Of two equal
 * keys the later one gets {@code _} at its end; the layout's own keys keep their names.
 */
public final class JsonLayout extends LayoutBase<ILoggingEvent> {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The keys of an exception. */
  private static final Set<String> THROWN = Set.of("error", "stack");

  @Override
  public String doLayout(ILoggingEvent event) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("time", LogText.time(event));
    fields.put("level", event.getLevel().toString());
    fields.put("logger", LogText.logger(event));
    fields.put("message", LogText.clean(event.getFormattedMessage()));
    var trace = StackTrace.lines(event.getThrowableProxy());
    if (event.getKeyValuePairs() != null) {
      var later = trace.isEmpty() ? Set.<String>of() : THROWN;
      event.getKeyValuePairs().forEach(pair -> put(fields, later, pair));
    }
    if (!trace.isEmpty()) {
      fields.put("error", LogText.clean(trace.getFirst()));
      fields.put("stack", String.join("\n", trace));
    }
    try {
      return JSON.writeValueAsString(fields) + System.lineSeparator();
    } catch (JsonProcessingException impossible) { // texts, numbers and booleans
      throw new IllegalStateException(impossible);
    }
  }

  /** A key that is there, or comes later, is taken. */
  private static void put(Map<String, Object> fields, Set<String> later, KeyValuePair pair) {
    var key = LogText.clean(pair.key);
    while (later.contains(key) || fields.containsKey(key)) {
      key += "_";
    }
    boolean plain = pair.value instanceof Number || pair.value instanceof Boolean;
    fields.put(key, plain ? pair.value : LogText.clean(pair.value));
  }
}
