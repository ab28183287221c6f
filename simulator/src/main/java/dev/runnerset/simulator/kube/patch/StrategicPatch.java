package dev.runnerset.simulator.kube.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The subset of strategic merge patch that kubectl's label, annotate, edit and apply produce for
 * built-in kinds: objects merge, the lists below merge by key, finalizers merge as a set, {@code
 * $patch: delete|replace}, {@code $deleteFromPrimitiveList} and {@code $retainKeys}; {@code
 * $setElementOrder} is ignored. Any other list is replaced.
 */
public final class StrategicPatch {
  private static final Map<String, String> KEY_BY_LIST =
      Map.of(
          "containers", "name",
          "initContainers", "name",
          "ephemeralContainers", "name",
          "env", "name",
          "volumes", "name",
          "imagePullSecrets", "name",
          "volumeMounts", "mountPath",
          "ports", "containerPort",
          "conditions", "type",
          "ownerReferences", "uid");
  private static final Set<String> SETS = Set.of("finalizers");
  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";

  private StrategicPatch() {}

  public static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch;
    }
    String directive = changes.path("$patch").asText();
    if (directive.equals("replace")) {
      ObjectNode replacement = changes.deepCopy();
      replacement.remove("$patch");
      return replacement;
    }
    ObjectNode result = target instanceof ObjectNode object ? object : Json.object();
    if (changes.has("$retainKeys")) {
      result.retain(Json.texts(changes.path("$retainKeys")));
    }
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      applyField(result, change.getKey(), change.getValue());
    }
    return result;
  }

  private static void applyField(ObjectNode result, String name, JsonNode value) {
    if (name.startsWith(DELETE_FROM)) {
      ArrayNode list = result.withArrayProperty(name.substring(DELETE_FROM.length()));
      var gone = Set.copyOf(Json.texts(value));
      list.removeIf(item -> gone.contains(item.asText()));
    } else if (name.startsWith("$")) {
      return; // order and retain directives carry no values
    } else if (value.isNull()) {
      result.remove(name);
    } else if (value.isArray()) {
      result.set(name, list(name, result.path(name), value));
    } else {
      result.set(name, apply(result.path(name), value));
    }
  }

  private static JsonNode list(String name, JsonNode current, JsonNode changes) {
    String key = KEY_BY_LIST.get(name);
    if (SETS.contains(name)) {
      ArrayNode union = current instanceof ArrayNode array ? array : Json.array();
      for (JsonNode item : changes) {
        if (union.valueStream().noneMatch(item::equals)) {
          union.add(item);
        }
      }
      return union;
    }
    if (key == null
        || changes.valueStream().anyMatch(c -> c.path("$patch").asText().equals("replace"))) {
      ArrayNode replaced = Json.array();
      changes.valueStream().filter(c -> !c.has("$patch")).forEach(replaced::add);
      return replaced;
    }
    ArrayNode merged = current instanceof ArrayNode array ? array : Json.array();
    for (JsonNode change : changes) {
      mergeItem(merged, key, change);
    }
    return merged;
  }

  private static void mergeItem(ArrayNode list, String key, JsonNode change) {
    Integer index = indexOf(list, key, change.path(key));
    if (change.path("$patch").asText().equals("delete")) {
      if (index != null) {
        list.remove(index);
      }
    } else if (index == null) {
      list.add(apply(Json.object(), change));
    } else {
      list.set(index, apply(list.path(index), change));
    }
  }

  private static @Nullable Integer indexOf(ArrayNode list, String key, JsonNode value) {
    for (int i = 0; i < list.size(); i++) {
      if (list.path(i).path(key).equals(value)) {
        return i;
      }
    }
    return null;
  }
}
