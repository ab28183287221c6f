package dev.runnerset.simulator.kube.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** RFC 7386: objects merge, null removes, anything else replaces. */
public final class MergePatch {
  private MergePatch() {}

  static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch;
    }
    ObjectNode result = target instanceof ObjectNode object ? object : Json.object();
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (change.getValue().isNull()) {
        result.remove(change.getKey());
      } else {
        result.set(change.getKey(), apply(result.path(change.getKey()), change.getValue()));
      }
    }
    return result;
  }
}
