package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** What a PodDisruptionBudget says of pods. Pure. */
final class Budgets {
  static final String CONDITION = "DisruptionAllowed";
  static final String SYNC_FAILED = "SyncFailed";

  /** A pod that was to be evicted and is still there after that time counts again. */
  private static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

  private Budgets() {}

  /** Whether the budget is about the pod. A budget without a selector is about none. */
  static boolean covers(StoredObject budget, StoredObject pod) {
    JsonNode selector = budget.json().at("/spec/selector");
    JsonNode labels = pod.json().at("/metadata/labels");
    return selector.isObject()
        && selector
            .path("matchLabels")
            .propertyStream()
            .allMatch(l -> labels.path(l.getKey()).equals(l.getValue()))
        && selector.path("matchExpressions").valueStream().allMatch(e -> matches(e, labels));
  }

  private static boolean matches(JsonNode expression, JsonNode labels) {
    JsonNode label = labels.path(expression.path("key").asText());
    boolean listed = Json.texts(expression.path("values")).contains(label.asText());
    return switch (expression.path("operator").asText()) {
      case "In" -> !label.isMissingNode() && listed;
      case "NotIn" -> label.isMissingNode() || !listed;
      case "Exists" -> !label.isMissingNode();
      case "DoesNotExist" -> label.isMissingNode();
      default -> false;
    };
  }

  static boolean isReady(StoredObject pod) {
    return pod.json()
        .at("/status/conditions")
        .valueStream()
        .anyMatch(c ->
            c.path("type").asText().equals("Ready") && c.path("status").asText().equals("True"));
  }

  /**
   * The status of a budget.
   *
   * @param pods those it covers
   */
  static ObjectNode status(StoredObject budget, Collection<StoredObject> pods, Instant now) {
    JsonNode before = budget.json().path("status");
    JsonNode minAvailable = budget.json().at("/spec/minAvailable");
    ObjectNode status = Json.object();
    int generation = budget.json().at("/metadata/generation").asInt();
    if (!minAvailable.isIntegralNumber()) {
      status.put("disruptionsAllowed", 0).put("currentHealthy", 0).put("desiredHealthy", 0);
      status.put("expectedPods", 0).put("observedGeneration", generation);
      String why = "only a number as minAvailable is understood here";
      putCondition(status, before, SYNC_FAILED, why, now);
      return status;
    }
    ObjectNode disrupted = Json.object();
    int healthy = 0;
    for (StoredObject pod : pods) {
      if (pod.deleting()) {
        continue;
      }
      JsonNode since = before.path("disruptedPods").path(pod.name());
      if (since.isTextual()
          && !Instant.parse(since.asText()).plus(DELETION_TIMEOUT).isBefore(now)) {
        disrupted.set(pod.name(), since);
      } else if (isReady(pod)) {
        healthy++;
      }
    }
    int allowed = pods.isEmpty() ? 0 : Math.max(0, healthy - minAvailable.asInt());
    status.put("disruptionsAllowed", allowed).put("currentHealthy", healthy);
    status.put("desiredHealthy", minAvailable.asInt()).put("expectedPods", pods.size());
    status.put("observedGeneration", generation);
    if (!disrupted.isEmpty()) {
      status.set("disruptedPods", disrupted);
    }
    putCondition(status, before, allowed > 0 ? "SufficientPods" : "InsufficientPods", "", now);
    return status;
  }

  /** The status after one pod more was allowed to go. */
  static void countDown(ObjectNode status, String pod, Instant now) {
    ObjectNode before = status.deepCopy();
    int left = status.path("disruptionsAllowed").asInt() - 1;
    status.put("disruptionsAllowed", left);
    status.withObjectProperty("disruptedPods").put(pod, seconds(now));
    if (left == 0) {
      putCondition(status, before, "InsufficientPods", "", now);
    }
  }

  private static void putCondition(
      ObjectNode status, JsonNode before, String reason, String message, Instant now) {
    JsonNode old = before.path("conditions").path(0);
    boolean allowed = reason.equals("SufficientPods");
    String is = allowed ? "True" : "False";
    boolean turned = !old.path("status").asText().equals(is);
    ObjectNode condition = Json.object().put("type", CONDITION).put("status", is);
    condition.put("reason", reason).put("message", message);
    condition.put("observedGeneration", status.path("observedGeneration").asInt());
    condition.put(
        "lastTransitionTime", turned ? seconds(now) : old.at("/lastTransitionTime").asText());
    status.putArray("conditions").add(condition);
  }

  /** Why no more pods may go. */
  static String refusal(StoredObject budget) {
    JsonNode status = budget.json().path("status");
    JsonNode condition = status.path("conditions").path(0);
    if (condition.path("reason").asText().equals(SYNC_FAILED)) {
      return "The disruption budget "
          + budget.name()
          + " does not allow evicting pods currently because it failed sync: "
          + condition.path("message").asText();
    }
    return "The disruption budget "
        + budget.name()
        + " needs "
        + status.path("desiredHealthy").asInt()
        + " healthy pods and has "
        + status.path("currentHealthy").asInt()
        + " currently";
  }

  private static String seconds(Instant now) {
    return Instant.ofEpochSecond(now.getEpochSecond()).toString();
  }

  static List<StoredObject> covering(Collection<StoredObject> budgets, StoredObject pod) {
    return budgets.stream().filter(budget -> covers(budget, pod)).toList();
  }
}
