package dev.runnerset.e2e.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.Crds;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Random values for random fields of our kinds; most are of a wrong type. */
final class OddValues {
  private static final int LARGE = 300 * 1024;
  private static final int DEEP = 900;

  /** Without what says which installation a set belongs to: that is taken at its word (WR11). */
  private static final String OF_OTHERS = "status.controller";

  /** A step of a path: the one item of a list. */
  private static final String ITEM = "[]";

  private final Map<String, List<List<String>>> fieldsByKind = new TreeMap<>();
  private final RandomGenerator random;

  OddValues(RandomGenerator random) {
    this.random = random;
    JsonNode template = JsonNodeFactory.instance.objectNode();
    for (var yaml : Crds.documents()) {
      var crd = Serialization.unmarshal(yaml, JsonNode.class);
      var properties = crd.at("/spec/versions/0/schema/openAPIV3Schema/properties");
      var fields = new ArrayList<List<String>>();
      for (var top : List.of("spec", "status")) {
        collect(properties.path(top), List.of(top), fields);
      }
      fieldsByKind.put(crd.at("/spec/names/kind").asText(), fields);
      var found = properties.at("/spec/properties/template");
      template = found.has("properties") ? found : template;
    }
    // the kinds of the controller take any template
    for (var kind : List.of("EphemeralRunnerSet", "EphemeralRunner")) {
      collect(
          template, List.of("spec", "template"), Objects.requireNonNull(fieldsByKind.get(kind)));
    }
  }

  private static void collect(JsonNode schema, List<String> path, List<List<String>> fields) {
    if (!String.join(".", path).startsWith(OF_OTHERS)) {
      fields.add(path);
    }
    if (schema.has("items")) {
      collect(schema.path("items"), with(path, ITEM), fields);
    }
    for (var field : schema.path("properties").properties()) {
      collect(field.getValue(), with(path, field.getKey()), fields);
    }
  }

  private static List<String> with(List<String> path, String step) {
    return Stream.concat(path.stream(), Stream.of(step)).toList();
  }

  /** A merge patch of an object of that kind. */
  ObjectNode patch(String kind) {
    var fields = Objects.requireNonNull(fieldsByKind.get(kind), kind);
    var path = fields.get(random.nextInt(fields.size()));
    var value = value();
    for (var step : path.reversed()) {
      value =
          step.equals(ITEM)
              ? JsonNodeFactory.instance.arrayNode().add(value)
              : JsonNodeFactory.instance.objectNode().set(step, value);
    }
    return (ObjectNode) value;
  }

  private JsonNode value() {
    var json = JsonNodeFactory.instance;
    return switch (random.nextInt(16)) {
      case 0 -> json.nullNode();
      case 1 -> json.textNode("");
      case 2 -> json.textNode("odd");
      case 3 -> json.textNode("\u202e\u2028\u001b[31m ☃ \ud83d\ude00 \"}{");
      case 4 -> json.textNode("x".repeat(LARGE));
      case 5 -> json.numberNode(0);
      case 6 -> json.numberNode(-1);
      case 7 -> json.numberNode(1L << 31);
      case 8 -> json.numberNode(Long.MAX_VALUE);
      case 9 -> json.numberNode(1e300);
      case 10 -> json.numberNode(1 / 2.0);
      case 11 -> json.booleanNode(random.nextBoolean());
      case 12 -> json.arrayNode();
      case 13 -> json.objectNode();
      case 14 -> json.arrayNode().add("odd").add(json.objectNode().put("odd", 1));
      default -> deep();
    };
  }

  private static JsonNode deep() {
    JsonNode node = JsonNodeFactory.instance.numberNode(1);
    for (int i = 0; i < DEEP; i++) {
      node = JsonNodeFactory.instance.arrayNode().add(node);
    }
    return node;
  }
}
