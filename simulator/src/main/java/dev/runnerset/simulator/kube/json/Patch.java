package dev.runnerset.simulator.kube.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.status.ApiException;
import java.util.function.Supplier;

/** A patch in one of the forms the server takes. Applying may change and return its argument. */
public interface Patch {
  JsonNode apply(JsonNode target);

  /**
   * @param form the media type
   * @param body read if the server accepts the form
   * @throws ApiException 415 for other forms, such as server-side apply
   */
  static Patch of(String form, Supplier<JsonNode> body) {
    switch (form) {
      case "application/json-patch+json" -> {
        JsonNode operations = body.get();
        return target -> JsonPatch.apply(target, operations);
      }
      case "application/merge-patch+json" -> {
        if (!(body.get() instanceof ObjectNode changes)) {
          throw ApiException.badRequest("the patch is not an object");
        }
        return target -> MergePatch.apply(target, changes);
      }
      default ->
          throw ApiException.unsupportedMediaType(
              "application/json-patch+json, application/merge-patch+json");
    }
  }
}
