package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Pruning and defaulting of custom objects, in the order the real server does them. */
public final class SchemaFill {
  private static final Set<String> OBJECT_FIELDS = Set.of("apiVersion", "kind", "metadata");

  private SchemaFill() {}

  /** Removes unknown fields, appending their paths; a null goes, too. */
  public static void prune(
      Schema schema, JsonNode node, String path, boolean root, List<String> unknown) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> entry : new ArrayList<>(object.properties())) {
        String name = entry.getKey();
        if (root && OBJECT_FIELDS.contains(name)) {
          continue;
        }
        pruneField(schema, object, name, path.isEmpty() ? name : path + "." + name, unknown);
      }
    } else if (node.isArray() && schema.items() != null) {
      for (int i = 0; i < node.size(); i++) {
        prune(schema.items(), node.get(i), path + "[" + i + "]", false, unknown);
      }
    }
  }

  private static void pruneField(
      Schema schema, ObjectNode object, String name, String path, List<String> unknown) {
    Schema field = schema.field(name);
    if (field != null) {
      if (object.path(name).isNull()) {
        object.remove(name);
      } else {
        prune(field, object.path(name), path, false, unknown);
      }
    } else if (!schema.preserveUnknown()) {
      object.remove(name);
      unknown.add(path);
    }
  }

  public static void fillDefaults(Schema schema, JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, Schema> entry : schema.properties().entrySet()) {
        JsonNode value = entry.getValue().defaultValue();
        if (value != null && !object.has(entry.getKey())) {
          object.set(entry.getKey(), value.deepCopy());
        }
      }
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        Schema field = schema.field(entry.getKey());
        if (field != null) {
          fillDefaults(field, entry.getValue());
        }
      }
    } else if (node.isArray() && schema.items() != null) {
      for (JsonNode item : node) {
        fillDefaults(schema.items(), item);
      }
    }
  }
}
