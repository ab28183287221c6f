package dev.runnerset.simulator.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** JSON trees: the simulator shares no types with the client it is to catch out. */
final class Json {
  /** Instants are texts, durations numbers of seconds. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .build();

  private Json() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  /** {@code {"count": n, "value": [...]}}, the service's form of a list. */
  static ObjectNode counted(List<ObjectNode> values) {
    var node = object().put("count", values.size());
    node.putArray("value").addAll(values);
    return node;
  }

  /** A record, or a collection of records, by the names of their components. */
  static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /**
   * The record with the components that {@code changes} names; of records in it, too.
   *
   * @throws IllegalArgumentException if there is no such component, or it cannot be so
   */
  static <T> T changed(T record, Class<T> type, JsonNode changes) {
    ObjectNode tree = MAPPER.valueToTree(record);
    merge(tree, changes);
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (UnrecognizedPropertyException e) {
      throw new IllegalArgumentException(
          "'" + e.getPropertyName() + "' is none of " + e.getKnownPropertyIds(), e);
    } catch (InvalidFormatException e) {
      var words =
          e.getTargetType().isEnum()
              ? Arrays.toString(e.getTargetType().getEnumConstants())
              : "numbers";
      throw new IllegalArgumentException(
          "'%s' is none of %s".formatted(e.getValue(), words.toLowerCase(Locale.ROOT)), e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  private static void merge(ObjectNode tree, JsonNode changes) {
    for (var change : changes.properties()) {
      if (tree.get(change.getKey()) instanceof ObjectNode inner && change.getValue().isObject()) {
        merge(inner, change.getValue());
      } else {
        tree.set(change.getKey(), change.getValue());
      }
    }
  }

  static JsonNode parse(byte[] bytes) {
    try {
      return MAPPER.readTree(bytes);
    } catch (IOException notJson) {
      return MissingNode.getInstance();
    }
  }

  static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static String text(JsonNode node) {
    return node.toString();
  }

  /** A field whatever the case of its name: the service reads names so (protocol 2.3). */
  static JsonNode field(JsonNode node, String name) {
    var exact = node.path(name);
    if (!exact.isMissingNode()) {
      return exact;
    }
    var wanted = name.toLowerCase(Locale.ROOT);
    for (var entry : node.properties()) {
      if (entry.getKey().toLowerCase(Locale.ROOT).equals(wanted)) {
        return entry.getValue();
      }
    }
    return MissingNode.getInstance();
  }
}
