package dev.runnerset.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;

/**
 * Merge patches (RFC 7386) of what a writer changes: computed from what is there, and from the same
 * with the writer's own fields as they must be, they name no field of another writer (WR2).
 */
public final class MergePatch {
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  private MergePatch() {}

  /** The patch that turns one value into the other, null values clear; empty for equal ones. */
  public static <T> Optional<ObjectNode> between(T before, T after) {
    return before.equals(after) ? Optional.empty() : ofTrees(tree(before), tree(after));
  }

  /** The smallest patch that turns one JSON object into another; empty for equal ones. */
  public static Optional<ObjectNode> ofTrees(JsonNode current, JsonNode wanted) {
    var patch = JsonNodeFactory.instance.objectNode();
    wanted
        .properties()
        .forEach(field -> {
          var now = current.get(field.getKey());
          var next = field.getValue();
          if (now != null && now.isObject() && next.isObject()) {
            ofTrees(now, next).ifPresent(inner -> patch.set(field.getKey(), inner));
          } else if (!next.equals(now)) {
            patch.set(field.getKey(), next);
          }
        });
    current
        .properties()
        .forEach(field -> {
          if (!wanted.has(field.getKey()) && !field.getValue().isNull()) {
            patch.putNull(field.getKey());
          }
        });
    return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
  }

  /** A value as the API server spells it; what is null is absent. */
  public static ObjectNode tree(Object value) {
    return JSON.convertValue(value, ObjectNode.class);
  }

  /** The begin of a patch that the server refuses with 409 if the object has changed since. */
  public static ObjectNode ifUnchanged(HasMetadata object) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("resourceVersion", object.getMetadata().getResourceVersion());
    return body;
  }

  /** The same with these finalizers, which replace all that the object has. */
  public static ObjectNode finalizers(HasMetadata object, List<String> wanted) {
    var body = ifUnchanged(object);
    wanted.forEach(body.withObject("metadata").withArray("finalizers")::add);
    return body;
  }
}
