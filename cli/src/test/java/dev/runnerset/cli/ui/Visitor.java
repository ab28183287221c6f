package dev.runnerset.cli.ui;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A browser as far as HTTP goes: it has a cookie, and reads streams of events. */
final class Visitor implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String root;
  private String cookie = "";

  /** An event, and when it came in nanoseconds of the machine. */
  record Arrival(String data, long nanos) {}

  /** Opens the first URL, and keeps its cookie. */
  Visitor(String entryUrl) throws IOException, InterruptedException {
    root = entryUrl.substring(0, entryUrl.indexOf(Gate.ENTRY));
    var answer = get(entryUrl.substring(root.length()));
    answer
        .headers()
        .firstValue("Set-Cookie")
        .ifPresent(header -> cookie = header.substring(0, header.indexOf(';')));
  }

  /** The answer to a GET request. */
  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(request(path).build(), BodyHandlers.ofString());
  }

  /** The answer to a POST request with that body. */
  HttpResponse<String> post(String path, String forgery, String body)
      throws IOException, InterruptedException {
    return http.send(
        request(path)
            .header("Origin", root)
            .header(Gate.FORGERY_HEADER, forgery)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** The events of a stream, as they come. */
  Events events(String query) throws IOException, InterruptedException {
    var answer = http.send(request("/events" + query).build(), BodyHandlers.ofInputStream());
    return new Events(answer.body());
  }

  private HttpRequest.Builder request(String path) {
    var request = HttpRequest.newBuilder(URI.create(root + path));
    return cookie.isEmpty() ? request : request.header("Cookie", cookie);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  /** A stream of events. */
  static final class Events implements AutoCloseable {
    private final BlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();
    private final InputStream stream;

    Events(InputStream stream) {
      this.stream = stream;
      Thread.ofVirtual().start(this::read);
    }

    private void read() {
      try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("data: ")) {
            arrived.add(new Arrival(line.substring("data: ".length()), System.nanoTime()));
          }
        }
      } catch (IOException e) {
        // the stream has ended
      }
    }

    /** The next event with that text; fails if there is none within 30 s. */
    Arrival await(String text) throws InterruptedException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      Arrival last = null;
      while (System.nanoTime() < deadline) {
        var next = arrived.poll(1, TimeUnit.SECONDS);
        last = next == null ? last : next;
        if (next != null && next.data().contains(text)) {
          return next;
        }
      }
      throw new AssertionError("no event has " + text + "; the last one: " + last);
    }

    /** How many have come and were not taken. */
    int waiting() {
      return arrived.size();
    }

    /** Closes the stream and not the reader, which would wait for the line that is being read. */
    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
