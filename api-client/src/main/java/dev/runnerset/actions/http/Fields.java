package dev.runnerset.actions.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.actions.Statistics;
import dev.runnerset.base.ShortText;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An object of the service that is read field by field, since one odd field must not hold up the
 * others: a field that is absent or of another type is an empty text, 0, or an unknown time
 * (protocol 2.3). Names are in any case. Of what stands deeper only the statistics are kept.
 */
record Fields(Map<String, JsonNode> nodeByName) {
  /** The service's word for "never" (protocol 4.2). */
  private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

  /** More than any object of the protocol has; the others are not kept. */
  private static final int MOST = 100;

  private static final String STATISTICS = "statistics";

  /** In place of an object or a list that is not kept; a list, so that it is no counts. */
  private static final JsonNode STRUCTURE = JsonNodeFactory.instance.arrayNode();

  /** Reads a field by itself, up to the last token of its value, or answers false. */
  interface Taker {
    boolean takes(String name, JsonParser parser) throws IOException;
  }

  /** The fields of a whole text, with texts of any length; empty if that is no JSON. */
  static Optional<Fields> parse(String text) {
    return Json.stream(text, parser -> read(parser, Integer.MAX_VALUE, (_, _) -> false));
  }

  /**
   * The fields of the object at which the parser stands; none of any other value.
   *
   * @param longest of a text; a longer one is cut
   */
  static Fields read(JsonParser parser, int longest, Taker taker) throws IOException {
    var nodes = new TreeMap<String, JsonNode>(String.CASE_INSENSITIVE_ORDER);
    if (!parser.isExpectedStartObjectToken()) {
      parser.skipChildren();
      return new Fields(nodes);
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = parser.currentName();
      parser.nextToken();
      if (!taker.takes(name, parser)) {
        var node =
            name.equalsIgnoreCase(STATISTICS) && parser.isExpectedStartObjectToken()
                ? counts(parser)
                : node(parser, longest);
        if (nodes.size() < MOST) {
          nodes.put(name, node);
        }
      }
    }
    return new Fields(nodes);
  }

  private static ObjectNode counts(JsonParser parser) throws IOException {
    var counts = JsonNodeFactory.instance.objectNode();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = parser.currentName();
      parser.nextToken();
      var node = node(parser, MOST);
      if (counts.size() < MOST) {
        counts.set(name, node);
      }
    }
    return counts;
  }

  private static JsonNode node(JsonParser parser, int longest) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING ->
          JsonNodeFactory.instance.textNode(ShortText.of(parser.getText(), longest));
      case START_OBJECT, START_ARRAY -> {
        parser.skipChildren();
        yield STRUCTURE;
      }
      default -> Json.scalar(parser);
    };
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
    var node = node(STATISTICS);
    return node.isObject() ? Json.convert(node, Statistics.class).orElse(null) : null;
  }
}
