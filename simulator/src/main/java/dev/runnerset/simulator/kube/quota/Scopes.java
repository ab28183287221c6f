package dev.runnerset.simulator.kube.quota;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.PodResources;
import dev.runnerset.simulator.kube.kind.ResourceType;
import java.util.List;

/** Whether an object is in all scopes of a quota. */
final class Scopes {
  private Scopes() {}

  static boolean match(JsonNode quota, ResourceType type, JsonNode object) {
    JsonNode spec = quota.path("spec");
    return Json.texts(spec.path("scopes")).stream()
            .allMatch(scope -> matches(scope, "Exists", List.of(), type, object))
        && spec.at("/scopeSelector/matchExpressions")
            .valueStream()
            .allMatch(each ->
                matches(
                    each.path("scopeName").asText(),
                    each.path("operator").asText(),
                    Json.texts(each.path("values")),
                    type,
                    object));
  }

  private static boolean matches(
      String scope, String operator, List<String> values, ResourceType type, JsonNode object) {
    JsonNode spec = object.path("spec");
    if (Usage.isClaim(type)) {
      return scope.equals("VolumeAttributesClass")
          && selects(operator, values, spec.path("volumeAttributesClassName").asText());
    }
    if (!type.is(ResourceType.PODS)) {
      return false;
    }
    return switch (scope) {
      case "Terminating" -> spec.has("activeDeadlineSeconds");
      case "NotTerminating" -> !spec.has("activeDeadlineSeconds");
      case "BestEffort" -> isBestEffort(spec);
      case "NotBestEffort" -> !isBestEffort(spec);
      case "PriorityClass" -> selects(operator, values, spec.path("priorityClassName").asText());
      case "CrossNamespacePodAffinity" -> crossesNamespaces(spec.path("affinity"));
      default -> false;
    };
  }

  private static boolean isBestEffort(JsonNode spec) {
    return PodResources.quality(spec).equals("BestEffort");
  }

  private static boolean selects(String operator, List<String> values, String name) {
    return switch (operator) {
      case "In" -> values.contains(name);
      case "NotIn" -> !values.contains(name);
      case "Exists" -> !name.isEmpty();
      default -> name.isEmpty();
    };
  }

  private static boolean crossesNamespaces(JsonNode affinity) {
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      JsonNode terms = affinity.path(kind);
      for (JsonNode term : terms.path("requiredDuringSchedulingIgnoredDuringExecution")) {
        if (namesNamespaces(term)) {
          return true;
        }
      }
      for (JsonNode term : terms.path("preferredDuringSchedulingIgnoredDuringExecution")) {
        if (namesNamespaces(term.path("podAffinityTerm"))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean namesNamespaces(JsonNode term) {
    return !term.path("namespaces").isEmpty() || term.has("namespaceSelector");
  }
}
