package dev.runnerset.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.Pure;
import java.util.Optional;

/** The smallest merge patch (RFC 7386) that turns one JSON object into another. */
@Pure
public final class MergeDiff {
  private MergeDiff() {}

  /** The patch, or empty when there is nothing to change. */
  public static Optional<ObjectNode> between(JsonNode current, JsonNode wanted) {
    var patch = JsonNodeFactory.instance.objectNode();
    wanted
        .properties()
        .forEach(field -> {
          var now = current.get(field.getKey());
          var next = field.getValue();
          if (now != null && now.isObject() && next.isObject()) {
            between(now, next).ifPresent(inner -> patch.set(field.getKey(), inner));
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
}
