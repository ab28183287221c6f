package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One HTTP answer.
 *
 * @param contentType empty for none
 * @param dropped no answer at all: the connection is closed instead
 */
record Reply(
    int status, String contentType, Map<String, String> headers, byte[] body, boolean dropped) {

  static final Reply DROPPED = new Reply(0, "", Map.of(), new byte[0], true);

  static Reply empty(int status) {
    return new Reply(status, "", Map.of(), new byte[0], false);
  }

  static Reply json(int status, JsonNode node) {
    return new Reply(status, "application/json; charset=utf-8", Map.of(), Json.bytes(node), false);
  }

  static Reply text(int status, String text) {
    return new Reply(
        status,
        "text/plain; charset=utf-8",
        Map.of(),
        text.getBytes(StandardCharsets.UTF_8),
        false);
  }

  /** An error of the public REST API: it has no typeName (protocol 1.4). */
  static Reply rest(int status, String message) {
    return json(
        status,
        Json.object()
            .put("message", message)
            .put("documentation_url", "https://docs.github.com/rest"));
  }

  /** An error of the service with a typeName, in the wrapped form (protocol 2.4 a). */
  static Reply fault(int status, String typeName, String message) {
    var key = typeName.substring(typeName.lastIndexOf('.') + 1);
    var space = typeName.contains(".") ? typeName.substring(0, typeName.lastIndexOf('.')) : "";
    var node = Json.object().put("$id", "1");
    node.putNull("innerException");
    return json(
        status,
        node.put("message", message)
            .put("typeName", space.isEmpty() ? key : typeName + ", " + space)
            .put("typeKey", key)
            .put("errorCode", 0)
            .put("eventId", 3000));
  }

  Reply withHeader(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Reply(status, contentType, more, body, dropped);
  }

  Reply withoutContentType() {
    return new Reply(status, "", headers, body, dropped);
  }

  Reply withBody(String type, byte[] bytes) {
    return new Reply(status, type, headers, bytes, dropped);
  }
}
