package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.Cause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Built-in kinds without rules of their own: any field is stored, nothing but secrets is checked.
 */
public record PlainRules(String kind) implements ObjectRules {
  private static final Map<String, Set<String>> SELECTABLE =
      Map.of(
          "Event",
          Set.of(
              "involvedObject.kind",
              "involvedObject.namespace",
              "involvedObject.name",
              "involvedObject.uid",
              "involvedObject.apiVersion",
              "involvedObject.resourceVersion",
              "involvedObject.fieldPath",
              "reason",
              "type",
              "source",
              "reportingComponent"),
          "Secret",
          Set.of("type"),
          "Namespace",
          Set.of("status.phase"),
          "Node",
          Set.of("spec.unschedulable"));

  @Override
  public List<String> prune(ObjectNode object) {
    Json.dropNulls(object);
    return List.of();
  }

  @Override
  public void fillDefaults(ObjectNode object) {
    switch (kind) {
      case "Secret" -> fillSecret(object);
      case "Namespace" -> {
        ObjectNode status = object.withObjectProperty("status");
        if (!status.has("phase")) {
          status.put("phase", "Active");
        }
        object.withObjectProperty("spec").putArray("finalizers").add("kubernetes");
      }
      default -> {}
    }
  }

  private static void fillSecret(ObjectNode secret) {
    if (secret.path("type").asText().isEmpty()) {
      secret.put("type", "Opaque");
    }
    if (secret.remove("stringData") instanceof ObjectNode plain) {
      ObjectNode data = secret.withObjectProperty("data");
      plain
          .properties()
          .forEach(e ->
              data.put(
                  e.getKey(),
                  Base64.getEncoder()
                      .encodeToString(e.getValue().asText().getBytes(StandardCharsets.UTF_8))));
    }
  }

  @Override
  public void resetForCreate(ObjectNode object) {
    if (!kind.equals("Node")) {
      object.remove("status"); // a kubelet registers its node with a status
    }
  }

  @Override
  public List<Cause> validate(ObjectNode object) {
    List<Cause> causes = new ArrayList<>();
    if (kind.equals("Secret")) {
      object
          .path("data")
          .properties()
          .forEach(e -> {
            try {
              var _ = Base64.getDecoder().decode(e.getValue().asText());
            } catch (IllegalArgumentException _) {
              causes.add(Cause.invalid("data[" + e.getKey() + "]", "\"\"", "not base64"));
            }
          });
    }
    return causes;
  }

  @Override
  public List<Cause> validateChange(ObjectNode old, ObjectNode next) {
    if (kind.equals("Secret") && !old.path("type").equals(next.path("type"))) {
      return List.of(Cause.invalid("type", next.path("type"), "field is immutable"));
    }
    return List.of();
  }

  @Override
  public Set<String> selectableFields() {
    return SELECTABLE.getOrDefault(kind, Set.of());
  }
}
