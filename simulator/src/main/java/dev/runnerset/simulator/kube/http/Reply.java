package dev.runnerset.simulator.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** What a request is answered with. */
public sealed interface Reply {
  record Full(int code, String contentType, byte[] body) implements Reply {}

  record Stream(Writer writer) implements Reply {}

  /** Writes until it is done; may block. */
  interface Writer {
    void writeTo(OutputStream out) throws IOException, InterruptedException;
  }

  static Reply json(int code, JsonNode body) {
    return json(code, Json.bytes(body));
  }

  static Reply json(int code, byte[] body) {
    return new Full(code, "application/json", body);
  }

  static Reply text(String text) {
    return new Full(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }
}
