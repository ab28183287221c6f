package dev.runnerset.simulator.kube.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** JSON and YAML trees. Trees that are in a store are never changed: copy first. */
public final class Json {
  public static final JsonMapper MAPPER = JsonMapper.builder().build();
  static final YAMLMapper YAML = YAMLMapper.builder().build();

  private Json() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  public static ArrayNode strings(Iterable<String> values) {
    ArrayNode array = array();
    values.forEach(array::add);
    return array;
  }

  /** The texts of an array; empty if the node is missing or no array. */
  public static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(node -> texts.add(node.asText()));
    return texts;
  }

  /** The names of the fields of an object; empty if the node is missing or none. */
  public static Set<String> names(JsonNode object) {
    Set<String> names = new LinkedHashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  public static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String string(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @return a missing node if the body is empty
   * @throws IOException if the body is neither
   */
  public static JsonNode parse(byte[] body, boolean yaml) throws IOException {
    JsonNode node = yaml ? YAML.readTree(body) : MAPPER.readTree(body);
    return node == null ? MissingNode.getInstance() : node;
  }

  /** The documents of a YAML stream, empty ones left out. */
  public static List<ObjectNode> documents(String yaml) {
    List<ObjectNode> documents = new ArrayList<>();
    try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(yaml)) {
      while (all.hasNext()) {
        if (all.next() instanceof ObjectNode document && !document.isEmpty()) {
          documents.add(document);
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("not YAML: " + e.getMessage(), e);
    }
    return documents;
  }

  /** Takes nulls out of objects at every depth: typed API objects cannot hold them. */
  public static void dropNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.properties().removeIf(entry -> entry.getValue().isNull());
    }
    for (JsonNode child : node) {
      dropNulls(child);
    }
  }

  public static boolean sameExcept(ObjectNode a, ObjectNode b, Set<String> ignored) {
    return without(a, ignored).equals(without(b, ignored));
  }

  private static Map<String, JsonNode> without(ObjectNode node, Set<String> ignored) {
    Map<String, JsonNode> rest = new java.util.HashMap<>();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      if (!ignored.contains(entry.getKey())) {
        rest.put(entry.getKey(), entry.getValue());
      }
    }
    return rest;
  }
}
