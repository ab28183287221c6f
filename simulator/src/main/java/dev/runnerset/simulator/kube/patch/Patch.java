package dev.runnerset.simulator.kube.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.status.ApiException;
import java.util.function.Supplier;

/** A patch in one of the forms the server takes. Applying may change and return its argument. */
public interface Patch {
  JsonNode apply(JsonNode target);

  /**
   * @param form the media type
   * @param custom whether it is for a custom kind: strategic merge patches are for the others
   * @param body read if the server accepts the form
   * @throws ApiException 415 for other forms, such as server-side apply
   */
  static Patch of(String form, boolean custom, Supplier<JsonNode> body) {
    boolean strategic = form.equals("application/strategic-merge-patch+json");
    boolean merge = form.equals("application/merge-patch+json");
    if (form.equals("application/json-patch+json")) {
      JsonNode operations = body.get();
      return target -> JsonPatch.apply(target, operations);
    }
    if (!merge && (!strategic || custom)) {
      throw ApiException.unsupportedMediaType(
          "application/json-patch+json, application/merge-patch+json"
              + (custom ? "" : ", application/strategic-merge-patch+json"));
    }
    JsonNode changes = body.get();
    if (changes instanceof ArrayNode || !(changes instanceof ObjectNode)) {
      throw ApiException.badRequest("the patch is not an object");
    }
    return merge
        ? target -> MergePatch.apply(target, changes)
        : target -> StrategicPatch.apply(target, changes);
  }
}
