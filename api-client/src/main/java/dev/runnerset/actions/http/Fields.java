package dev.runnerset.actions.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runnerset.actions.Statistics;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An object of the service that is read field by field, since one odd field must not hold up the
 * others: a field that is absent or of another type is an empty text, 0, or an unknown time
 * (protocol 2.3). Names are in any case.
 */
record Fields(Map<String, JsonNode> nodeByName) {
  /** The service's word for "never" (protocol 4.2). */
  private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

  /** The fields of an object; none of any other value. */
  static Fields of(JsonNode object) {
    var nodes = new TreeMap<String, JsonNode>(String.CASE_INSENSITIVE_ORDER);
    object.properties().forEach(field -> nodes.put(field.getKey(), field.getValue()));
    return new Fields(nodes);
  }

  JsonNode node(String name) {
    return nodeByName.getOrDefault(name, MissingNode.getInstance());
  }

  /** A text, or a number as text. */
  String text(String name) {
    var node = node(name);
    return node.isTextual() || node.isNumber() ? node.asText() : "";
  }

  /** An absent text is an empty one. */
  static String orEmpty(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** A whole number, also where it stands as text. */
  long number(String name) {
    return node(name).asLong(0);
  }

  /** The time, or null. */
  @Nullable Instant time(String name) {
    return instant(node(name).asText());
  }

  static @Nullable Instant instant(String text) {
    try {
      var time = OffsetDateTime.parse(text).toInstant();
      return time.isAfter(NEVER) ? time : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Whether the value can stand where a text is expected. */
  boolean isTextOrAbsent(String name) {
    var node = node(name);
    return node.isMissingNode() || node.isNull() || node.isTextual();
  }

  /** The counts of the scale set, or null (unknown) if they are absent or cannot be read. */
  @Nullable Statistics statistics() {
    var node = node("statistics");
    return node.isObject() ? Json.convert(node, Statistics.class).orElse(null) : null;
  }
}
