package dev.runnerset.simulator.kube.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.status.ApiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RFC 6902. What cannot be applied, a failing {@code test} included, is a 422 as on the real
 * server.
 */
public final class JsonPatch {
  private static final Logger LOG = LoggerFactory.getLogger(JsonPatch.class);

  private JsonPatch() {}

  static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!patch.isArray()) {
      throw ApiException.badRequest(
          "json: cannot unmarshal object into Go value of type jsonpatch.Patch");
    }
    if (patch.size() > 10_000) {
      throw ApiException.of(
          413, "RequestEntityTooLarge", "The allowed maximum operations in a JSON patch is 10000");
    }
    JsonNode result = target;
    for (JsonNode operation : patch) {
      result = step(result, operation);
    }
    return result;
  }

  private static JsonNode step(JsonNode root, JsonNode operation) {
    JsonPointer path = pointer(operation, "path");
    JsonNode value = operation.path("value");
    switch (operation.path("op").asText()) {
      case "add" -> {
        return put(root, path, value.deepCopy(), true);
      }
      case "replace" -> {
        existing(root, path);
        return put(root, path, value.deepCopy(), false);
      }
      case "remove" -> {
        existing(root, path);
        remove(root, path);
        return root;
      }
      case "move" -> {
        JsonPointer from = pointer(operation, "from");
        JsonNode moved = existing(root, from);
        remove(root, from);
        return put(root, path, moved, true);
      }
      case "copy" -> {
        return put(root, path, existing(root, pointer(operation, "from")).deepCopy(), true);
      }
      case "test" -> {
        JsonNode found = root.at(path);
        if (!found.equals(value) && !(found.isMissingNode() && value.isNull())) {
          throw refused("testing value " + path + " failed");
        }
        return root;
      }
      default -> throw refused("Unexpected kind: " + operation.path("op").asText());
    }
  }

  private static JsonPointer pointer(JsonNode operation, String field) {
    try {
      return JsonPointer.compile(operation.path(field).asText());
    } catch (IllegalArgumentException e) {
      throw refused("unable to parse the path " + operation.path(field).asText());
    }
  }

  private static JsonNode existing(JsonNode root, JsonPointer path) {
    JsonNode node = root.at(path);
    if (node.isMissingNode()) {
      throw refused("remove or replace operation does not apply: doc is missing key: " + path);
    }
    return node;
  }

  private static JsonNode put(JsonNode root, JsonPointer path, JsonNode value, boolean insert) {
    JsonPointer above = path.head();
    if (above == null) {
      return value;
    }
    switch (root.at(above)) {
      case ObjectNode object -> object.set(last(path), value);
      case ArrayNode array -> {
        boolean append = last(path).equals("-");
        int index = append ? array.size() : path.last().getMatchingIndex();
        if (index < 0 || index > array.size()) {
          throw refused("add operation does not apply: Unable to access invalid index: " + path);
        }
        if (insert) {
          array.insert(index, value);
        } else {
          array.set(index, value);
        }
      }
      default -> throw refused("add operation does not apply: doc is missing path: " + path);
    }
    return root;
  }

  private static void remove(JsonNode root, JsonPointer path) {
    switch (root.at(path.head())) {
      case ObjectNode object -> object.remove(last(path));
      case ArrayNode array -> array.remove(path.last().getMatchingIndex());
      default -> throw refused("remove operation does not apply: " + path);
    }
  }

  private static String last(JsonPointer path) {
    return path.last().getMatchingProperty();
  }

  /** The real server does not tell the client which operation failed, nor why. */
  private static ApiException refused(String detail) {
    LOG.atDebug().addKeyValue("why", detail).log("JSON patch refused");
    return ApiException.of(
        422, "Invalid", "the server rejected our request due to an error in our request");
  }
}
