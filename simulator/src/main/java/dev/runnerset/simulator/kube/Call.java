package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;

/** One request, read on demand. */
record Call(String method, String path, Query query, HttpExchange exchange) {
  /** As upstream: larger requests are refused. */
  static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

  static Call of(HttpExchange exchange) {
    return new Call(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        Query.parse(exchange.getRequestURI().getRawQuery()),
        exchange);
  }

  private String header(String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  String contentType() {
    return header("Content-Type").replaceFirst(";.*", "").strip();
  }

  boolean wantsTable() {
    return header("Accept").contains("as=Table");
  }

  boolean wantsProtobufOnly() {
    String accept = header("Accept");
    return accept.contains("protobuf") && !accept.contains("json") && !accept.contains("*/*");
  }

  boolean wantsWebSocket() {
    return header("Upgrade").equalsIgnoreCase("websocket");
  }

  /** The User-Agent up to its first '/' or space, bounded. */
  String writer() {
    String agent = header("User-Agent").split("[/ ]", 2)[0];
    return agent.isEmpty() ? "unknown" : agent.substring(0, Math.min(80, agent.length()));
  }

  byte[] rawBody() {
    try {
      byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
      if (body.length > MAX_BODY_BYTES) {
        throw ApiException.of(
            413, "RequestEntityTooLarge", "Request entity too large: limit is " + MAX_BODY_BYTES);
      }
      return body;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The body as an object: JSON, or what it says it is. */
  JsonNode body() {
    String type = contentType();
    if (type.contains("protobuf")) {
      return ProtobufBody.decode(rawBody());
    }
    if (type.contains("cbor")) {
      throw ApiException.unsupportedMediaType("application/json, application/yaml");
    }
    return Json.parse(rawBody(), type.contains("yaml"));
  }

  /** The body of a DELETE, which may be absent. */
  JsonNode optionalBody() {
    byte[] body = rawBody();
    return body.length == 0 || contentType().contains("protobuf")
        ? Json.object()
        : Json.parse(body, contentType().contains("yaml"));
  }
}
