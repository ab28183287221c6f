package dev.runnerset.simulator.service;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A request to a {@link Service} that has no socket. */
final class PlayedRequest {
  private PlayedRequest() {}

  /**
   * @param url with or without a host
   * @param headers by lower-case name
   */
  static Request of(String method, String url, Map<String, String> headers, String body) {
    var at = url.indexOf('?');
    var path = url.substring(0, at < 0 ? url.length() : at).replaceAll("^http://[^/]*", "");
    return new Request(
        method,
        path,
        Arrays.stream(path.split("/")).filter(s -> !s.isEmpty()).toList(),
        at < 0 ? Map.of() : Request.parameters(url.substring(at + 1)),
        headers,
        body.getBytes(StandardCharsets.UTF_8),
        new CompletableFuture<>());
  }
}
