package dev.runnerset.simulator.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.ApiException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** One request, read on demand. */
public record Call(String method, String path, Query query, HttpExchange exchange) {
  /** As upstream: larger requests are refused. */
  public static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

  public static Call of(HttpExchange exchange) {
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

  public String contentType() {
    return header("Content-Type").replaceFirst(";.*", "").strip();
  }

  public boolean wantsWebSocket() {
    return header("Upgrade").equalsIgnoreCase("websocket");
  }

  /** The User-Agent up to its first '/' or space, bounded. */
  public String writer() {
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

  /**
   * The body as JSON.
   *
   * @throws ApiException 415 if it says that it is something else
   */
  public JsonNode body() {
    String type = contentType();
    if (!type.isEmpty() && !type.contains("json")) {
      throw ApiException.unsupportedMediaType("application/json");
    }
    return parse(rawBody());
  }

  /** The body of a DELETE, which may be absent. */
  public JsonNode optionalBody() {
    byte[] body = rawBody();
    return body.length == 0 ? Json.object() : parse(body);
  }

  private static JsonNode parse(byte[] body) {
    try {
      JsonNode node = Json.parse(body, false);
      if (node.isMissingNode()) {
        throw ApiException.badRequest("the request body is empty");
      }
      return node;
    } catch (IOException e) {
      throw ApiException.badRequest("the body of the request could not be decoded");
    }
  }
}
