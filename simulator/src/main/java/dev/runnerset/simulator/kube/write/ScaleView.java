package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.FieldPath;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.CustomRules;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import java.util.List;

/** The {@code scale} subresource of a custom kind: an {@code autoscaling/v1} Scale. */
public record ScaleView(CustomRules.Scale paths) {

  public static ScaleView of(ResourceType type) {
    if (type.rules() instanceof CustomRules rules && rules.scale() != null) {
      return new ScaleView(rules.scale());
    }
    throw ApiException.noSuchPath();
  }

  public ObjectNode scale(ObjectNode object) {
    ObjectNode scale = Json.object();
    scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
    ObjectNode metadata = scale.putObject("metadata");
    for (String field :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      Writes.setOrRemove(metadata, field, object.path("metadata").path(field));
    }
    scale.putObject("spec").put("replicas", paths.replicas().find(object).asInt(0));
    ObjectNode status = scale.putObject("status");
    status.put("replicas", paths.statusReplicas().find(object).asInt(0));
    if (!paths.labelSelector().isEmpty()) {
      status.put("selector", new FieldPath(paths.labelSelector()).find(object).asText(""));
    }
    return scale;
  }

  /** The object with the replicas, and the preconditions, of that scale. */
  public ObjectNode applied(ObjectNode object, JsonNode scale) {
    JsonNode replicas = scale.at("/spec/replicas");
    if (replicas.asInt(0) < 0) {
      throw ApiException.of(
          422,
          "Invalid",
          "Scale.autoscaling \""
              + object.at("/metadata/name").asText()
              + "\" is invalid: spec.replicas: Invalid value: "
              + replicas
              + ": should be a non-negative integer");
    }
    List<String> fields = paths.replicas().fields();
    ObjectNode parent = object;
    for (String field : fields.subList(0, fields.size() - 1)) {
      parent = parent.withObjectProperty(field);
    }
    parent.put(fields.getLast(), replicas.asInt(0));
    ObjectNode metadata = object.withObjectProperty("metadata");
    for (String field : List.of("resourceVersion", "uid")) {
      if (!scale.path("metadata").path(field).asText().isEmpty()) {
        metadata.set(field, scale.path("metadata").path(field));
      }
    }
    return object;
  }
}
