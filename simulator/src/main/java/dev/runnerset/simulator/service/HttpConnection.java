package dev.runnerset.simulator.service;

import static java.util.Map.entry;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection: requests are read ahead of their answers, so that the end of the stream is
 * seen while a request is parked; answers go out in order.
 */
final class HttpConnection {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
  private static final int MAX_BODY = 4 << 20;
  private static final int MAX_LINE = 16 << 10;
  private static final int MAX_HEADERS = 100;
  private static final int CHUNK = 1024;
  private static final Duration BETWEEN_CHUNKS = Duration.ofMillis(100);
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          entry(200, "OK"),
          entry(201, "Created"),
          entry(202, "Accepted"),
          entry(204, "No Content"),
          entry(301, "Moved Permanently"),
          entry(304, "Not Modified"),
          entry(307, "Temporary Redirect"),
          entry(400, "Bad Request"),
          entry(401, "Unauthorized"),
          entry(403, "Forbidden"),
          entry(404, "Not Found"),
          entry(409, "Conflict"),
          entry(422, "Unprocessable Entity"),
          entry(429, "Too Many Requests"),
          entry(500, "Internal Server Error"),
          entry(502, "Bad Gateway"),
          entry(503, "Service Unavailable"),
          entry(504, "Gateway Timeout"));
  private final InputStream in;
  private final OutputStream out;
  private final Function<Request, Reply> answer;

  HttpConnection(InputStream in, OutputStream out, Function<Request, Reply> answer) {
    this.in = new BufferedInputStream(in);
    this.out = new BufferedOutputStream(out);
    this.answer = answer;
  }

  /** Serves until either side closes. */
  void run() throws IOException {
    var gone = new CompletableFuture<Void>();
    CompletableFuture<Boolean> previous = CompletableFuture.completedFuture(true);
    try {
      while (true) {
        var request = read(gone);
        if (request == null || !previous.join()) {
          return;
        }
        var turn = new CompletableFuture<Boolean>();
        previous = turn;
        Thread.ofVirtual().name("service-request").start(() -> turn.complete(serve(request)));
        if (request.header("connection").filter("close"::equalsIgnoreCase).isPresent()) {
          turn.join();
          return;
        }
      }
    } finally {
      gone.complete(null);
    }
  }

  /** Whether the connection may be used again. */
  private boolean serve(Request request) {
    Reply reply;
    try {
      reply = answer.apply(request);
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("path", request.path()).setCause(e).log("request failed");
      reply = Reply.text(500, "the simulator failed: " + e);
    }
    try {
      if (reply.end() == Reply.End.DROPPED) {
        in.close();
        return false;
      }
      write(request.method(), reply);
      while (reply.end() == Reply.End.NEVER && !request.gone().isDone()) {
        request.pause(BETWEEN_CHUNKS);
        chunk(" ".repeat(CHUNK).getBytes(StandardCharsets.US_ASCII));
      }
      return reply.end() == Reply.End.WHOLE;
    } catch (IOException clientGone) {
      return false;
    }
  }

  private @Nullable Request read(CompletableFuture<Void> gone) throws IOException {
    var start = line();
    if (start == null) {
      return null;
    }
    var parts = start.split(" ");
    if (parts.length != 3) {
      throw new IOException("not a request line");
    }
    var headers = headers();
    if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
      out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
    var at = parts[1].indexOf('?');
    var path = at < 0 ? parts[1] : parts[1].substring(0, at);
    // '+' stands for itself in a path and for a space in a query only.
    var segments =
        Arrays.stream(path.split("/"))
            .filter(s -> !s.isEmpty())
            .map(s -> Request.decode(s.replace("+", "%2B")))
            .toList();
    var query = at < 0 ? Map.<String, String>of() : Request.parameters(parts[1].substring(at + 1));
    return new Request(parts[0], path, segments, query, headers, body(headers), gone);
  }

  private Map<String, String> headers() throws IOException {
    var headers = new HashMap<String, String>();
    for (var line = line(); line != null && !line.isEmpty(); line = line()) {
      var colon = line.indexOf(':');
      if (colon < 0 || headers.size() >= MAX_HEADERS) {
        throw new IOException("not a header, or too many");
      }
      headers.put(
          line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip());
    }
    return headers;
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
      return chunks();
    }
    try {
      return exactly(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    } catch (NumberFormatException e) {
      throw new IOException("not a content length", e);
    }
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    while (true) {
      var size = line();
      if (size == null) {
        throw new EOFException();
      }
      var bytes = exactly(Integer.parseInt(size.split(";")[0].strip(), 16));
      line();
      if (bytes.length == 0) {
        return body.toByteArray();
      }
      body.write(bytes);
      if (body.size() > MAX_BODY) {
        throw new IOException("body too large");
      }
    }
  }

  private byte[] exactly(int length) throws IOException {
    if (length < 0 || length > MAX_BODY) {
      throw new IOException("body too large");
    }
    var bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private @Nullable String line() throws IOException {
    var line = new ByteArrayOutputStream(80);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0 || line.size() > MAX_LINE) {
        return null;
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private void chunk(byte[] bytes) throws IOException {
    out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.write(bytes);
    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private void write(String method, Reply reply) throws IOException {
    boolean whole = reply.end() == Reply.End.WHOLE;
    var head = new StringBuilder(200);
    head.append("HTTP/1.1 ").append(reply.status()).append(' ');
    head.append(REASONS.getOrDefault(reply.status(), "Unknown")).append("\r\n");
    if (!reply.contentType().isEmpty()) {
      head.append("Content-Type: ").append(reply.contentType()).append("\r\n");
    }
    reply.headers().forEach((k, v) -> head.append(k).append(": ").append(v).append("\r\n"));
    if (!whole) {
      head.append("Transfer-Encoding: chunked\r\n");
    } else if (reply.status() != 204 && reply.status() != 304) {
      head.append("Content-Length: ").append(reply.body().length).append("\r\n");
    }
    out.write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    if (!whole) {
      chunk(reply.body());
    } else if (!method.equals("HEAD")) {
      out.write(reply.body());
    }
    out.flush();
  }
}
