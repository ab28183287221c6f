package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One HTTP answer.
 *
 * @param contentType empty for none
 * @param end how the answer ends
 */
record Reply(int status, String contentType, Map<String, String> headers, byte[] body, End end) {

  enum End {
    WHOLE,
    /** No answer at all: the connection is closed instead. */
    DROPPED,
    /** The body goes on until the client gives up. */
    NEVER
  }

  static final String JSON = "application/json; charset=utf-8";
  static final Reply DROPPED = new Reply(0, "", Map.of(), new byte[0], End.DROPPED);

  static Reply empty(int status) {
    return new Reply(status, "", Map.of(), new byte[0], End.WHOLE);
  }

  static Reply json(int status, JsonNode node) {
    return new Reply(status, JSON, Map.of(), Json.bytes(node), End.WHOLE);
  }

  static Reply text(int status, String text) {
    return new Reply(
        status,
        "text/plain; charset=utf-8",
        Map.of(),
        text.getBytes(StandardCharsets.UTF_8),
        End.WHOLE);
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

  /** What is no JSON, though it says so. */
  static Reply garbage(int status) {
    return empty(status).withBody(JSON, "<!doctype html>".getBytes(StandardCharsets.US_ASCII));
  }

  /** An answer whose JSON never ends. */
  static Reply endless(int status) {
    var begin = "[".getBytes(StandardCharsets.US_ASCII);
    return new Reply(status, JSON, Map.of(), begin, End.NEVER);
  }

  Reply withHeader(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Reply(status, contentType, more, body, end);
  }

  Reply withoutContentType() {
    return new Reply(status, "", headers, body, end);
  }

  Reply withBody(String type, byte[] bytes) {
    return new Reply(status, type, headers, bytes, end);
  }
}
