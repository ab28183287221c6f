package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.Cause;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Built-in kinds without rules of their own: any field is stored, and nothing is checked. */
public record PlainRules(String kind) implements ObjectRules {
  private static final Map<String, Set<String>> SELECTABLE =
      Map.of(
          "Event",
          Set.of("involvedObject.kind", "involvedObject.name", "reason"),
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
    return List.of();
  }

  @Override
  public Set<String> selectableFields() {
    return SELECTABLE.getOrDefault(kind, Set.of());
  }
}
