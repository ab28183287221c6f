package dev.runnerset.simulator.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPOutputStream;

/**
 * A body that is meant to fill the memory of its reader. It is a message, a list of the service and
 * a list of GitHub at the same time, so that it fits each call.
 */
final class HostileBody {
  private static final Map<Kind, byte[]> BODIES = new ConcurrentHashMap<>();

  /** What it is, and of how many bytes, before it is packed. */
  private record Kind(HttpFault.Body body, int bytes) {}

  private HostileBody() {}

  static Reply reply(int status, HttpFault.Body body, int bytes) {
    var kind = new Kind(body, bytes);
    var reply =
        Reply.empty(status).withBody(Reply.JSON, BODIES.computeIfAbsent(kind, HostileBody::of));
    return body == HttpFault.Body.BOMB ? reply.withHeader("Content-Encoding", "gzip") : reply;
  }

  private static byte[] of(Kind kind) {
    int bytes = kind.bytes();
    return switch (kind.body()) {
      case FLOOD -> text("[{}" + ",{}".repeat(bytes / 6) + "]");
      case DEEP -> text("[".repeat(bytes / 4) + "]".repeat(bytes / 4));
      case LONG_TEXT -> text("[{\"jobId\":\"" + "x".repeat(bytes / 2) + "\"}]");
      case LONG_NUMBER -> text("[{\"id\":" + "9".repeat(bytes / 2) + "}]");
      case BOMB -> packed(text("[{}" + ",{}".repeat(bytes / 6) + "]"));
      default -> throw new IllegalArgumentException(kind.body() + " is not hostile");
    };
  }

  /** Half of it is in the body of the message, half in the list. */
  private static byte[] text(String list) {
    return """
    {"messageId":7,"messageType":"RunnerScaleSetJobMessages","count":1,"total_count":1,
    "body":"%s","value":%s,"runners":[]}\
    """
        .formatted(list.replace("\"", "\\\""), list)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] packed(byte[] body) {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }
}
