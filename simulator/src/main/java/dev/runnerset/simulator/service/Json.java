package dev.runnerset.simulator.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** JSON trees: the simulator shares no types with the client it is to catch out. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

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
