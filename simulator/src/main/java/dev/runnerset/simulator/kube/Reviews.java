package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.write.Incoming;
import java.util.List;

/** Questions about permissions, which the leader election of the operator SDK asks. */
final class Reviews {
  private static final List<String> ANY = List.of("*");

  private Reviews() {}

  /** A SelfSubjectRulesReview: here everybody may do everything. */
  static ObjectNode answer(ResourceType type, JsonNode body) {
    ObjectNode review = Incoming.decode(type, body);
    ObjectNode status = review.putObject("status").put("incomplete", false);
    ObjectNode rule = status.putArray("resourceRules").addObject();
    for (String field : List.of("verbs", "apiGroups", "resources")) {
      rule.set(field, Json.strings(ANY));
    }
    status.putArray("nonResourceRules");
    return review;
  }
}
