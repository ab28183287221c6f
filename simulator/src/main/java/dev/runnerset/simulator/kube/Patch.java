package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A patch in one of the forms the server takes. Applying may change and return its argument. */
interface Patch {
  JsonNode apply(JsonNode target);

  /**
   * @throws ApiException 415 for forms that are not taken, server-side apply among them
   */
  static Patch of(ResourceType type, Call call) {
    String form = call.contentType();
    boolean strategic = form.equals("application/strategic-merge-patch+json");
    boolean merge = form.equals("application/merge-patch+json");
    if (form.equals("application/json-patch+json")) {
      JsonNode operations = Json.parse(call.rawBody(), false);
      return target -> JsonPatch.apply(target, operations);
    }
    if (!merge && (!strategic || type.custom())) {
      throw ApiException.unsupportedMediaType(
          "application/json-patch+json, application/merge-patch+json"
              + (type.custom() ? "" : ", application/strategic-merge-patch+json"));
    }
    JsonNode changes = Json.parse(call.rawBody(), false);
    if (changes instanceof ArrayNode || !(changes instanceof ObjectNode)) {
      throw ApiException.badRequest("the patch is not an object");
    }
    return merge
        ? target -> MergePatch.apply(target, changes)
        : target -> StrategicPatch.apply(target, changes);
  }
}
