package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One HTTP request, read whole.
 *
 * @param segments the decoded path, without empty segments
 * @param headers by lower-case name
 * @param gone completes when the client has closed the connection
 */
record Request(
    String method,
    String path,
    List<String> segments,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body,
    CompletableFuture<Void> gone) {

  /** Blocks so long, or until the client has gone. */
  void pause(Duration time) {
    gone.copy().completeOnTimeout(null, time.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  Request withSegments(List<String> value) {
    return new Request(method, path, value, query, headers, body, gone);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  Optional<String> parameter(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /** The credential of {@code Authorization: <scheme> <credential>}, empty if there is none. */
  Optional<String> credential(String scheme) {
    return header("authorization")
        .filter(value -> value.regionMatches(true, 0, scheme + " ", 0, scheme.length() + 1))
        .map(value -> value.substring(scheme.length() + 1).strip());
  }

  /** The body as JSON; a missing node if it is empty or no JSON. */
  JsonNode json() {
    return body.length == 0 ? MissingNode.getInstance() : Json.parse(body);
  }

  /** The fields of a form body. */
  Map<String, String> form() {
    return parameters(new String(body, StandardCharsets.UTF_8));
  }

  static Map<String, String> parameters(String text) {
    var values = new HashMap<String, String>();
    for (var pair : text.split("&")) {
      if (!pair.isEmpty()) {
        var at = pair.indexOf('=');
        values.put(
            decode(at < 0 ? pair : pair.substring(0, at)),
            at < 0 ? "" : decode(pair.substring(at + 1)));
      }
    }
    return values;
  }

  static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
