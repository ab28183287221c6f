package dev.runnerset.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.Pure;
import java.util.Map;

/** JSON whose objects have their fields in the order of the names, for hashes and comparison. */
@Pure
public final class CanonicalJson {
  private CanonicalJson() {}

  /** The same values; what was given is not changed. */
  public static JsonNode of(JsonNode node) {
    return of(node, Integer.MAX_VALUE);
  }

  /**
   * The same values, of a node that anybody may have written.
   *
   * @param deepest how many levels it may have; each takes a frame of the stack
   * @throws IllegalArgumentException if it has more
   */
  public static JsonNode of(JsonNode node, int deepest) {
    if (deepest == 0) {
      throw new IllegalArgumentException("nested too deeply");
    }
    if (node.isObject()) {
      var sorted = JsonNodeFactory.instance.objectNode();
      node.properties().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(field -> sorted.set(field.getKey(), of(field.getValue(), deepest - 1)));
      return sorted;
    }
    if (node.isArray()) {
      var items = JsonNodeFactory.instance.arrayNode();
      node.forEach(item -> items.add(of(item, deepest - 1)));
      return items;
    }
    return node;
  }
}
