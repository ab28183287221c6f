package dev.runnerset.simulator.kube.json;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.status.ApiException;
import io.fabric8.zjsonpatch.CompatibilityFlags;
import io.fabric8.zjsonpatch.JsonPatchException;
import java.util.EnumSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RFC 6902 as the real server applies it. An operation that cannot be applied, a failing {@code
 * test} included, is a 422.
 */
final class JsonPatch {
  private static final Logger LOG = LoggerFactory.getLogger(JsonPatch.class);
  private static final int MOST_OPERATIONS = 10_000; // as upstream

  private JsonPatch() {}

  static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!patch.isArray()) {
      throw ApiException.badRequest(
          "json: cannot unmarshal object into Go value of type jsonpatch.Patch");
    }
    if (patch.size() > MOST_OPERATIONS) {
      throw ApiException.of(
          413,
          "RequestEntityTooLarge",
          "The allowed maximum operations in a JSON patch is " + MOST_OPERATIONS);
    }
    try {
      JsonNode result = target;
      for (JsonNode operation : patch) {
        if (!isTestOfAnAbsentField(operation, result)) {
          result = applyOne(operation, result);
        }
      }
      return result;
    } catch (JsonPatchException | IllegalArgumentException e) {
      // the real server does not tell the client which operation failed, nor why
      LOG.atDebug().addKeyValue("why", e.getMessage()).log("JSON patch refused");
      throw ApiException.of(
          422, "Invalid", "the server rejected our request due to an error in our request");
    }
  }

  private static JsonNode applyOne(JsonNode operation, JsonNode target) {
    return io.fabric8.zjsonpatch.JsonPatch.apply(
        Json.array().add(operation),
        target,
        EnumSet.of(CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT));
  }

  /** The real server takes null for the value of an absent field; the library refuses the test. */
  private static boolean isTestOfAnAbsentField(JsonNode operation, JsonNode target) {
    if (!operation.path("op").asText().equals("test")
        || !operation.has("value")
        || !operation.path("value").isNull()) {
      return false;
    }
    JsonPointer path = JsonPointer.compile(operation.path("path").asText());
    JsonPointer parent = path.head();
    return parent != null && target.at(parent).isObject() && target.at(path).isMissingNode();
  }
}
