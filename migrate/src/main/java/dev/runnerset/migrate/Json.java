package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Trees of JSON. */
final class Json {
  private Json() {}

  /** The object; an empty one if it is absent or something else. */
  static ObjectNode object(JsonNode node) {
    return node instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
  }
}
