package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.write.Incoming;
import java.util.List;

/** Questions about permissions: here everybody may do everything. */
final class Reviews {
  private Reviews() {}

  static ObjectNode answer(ResourceType type, JsonNode body) {
    ObjectNode review = Incoming.decode(type, body);
    ObjectNode status = review.putObject("status");
    if (!type.kind().equals("SelfSubjectRulesReview")) {
      status.put("allowed", true);
      return review;
    }
    List<String> any = List.of("*");
    ObjectNode rule = status.putArray("resourceRules").addObject();
    rule.set("verbs", Json.strings(any));
    rule.set("apiGroups", Json.strings(any));
    rule.set("resources", Json.strings(any));
    ObjectNode path = status.putArray("nonResourceRules").addObject();
    path.set("verbs", Json.strings(any));
    path.set("nonResourceURLs", Json.strings(any));
    status.put("incomplete", false);
    return review;
  }
}
