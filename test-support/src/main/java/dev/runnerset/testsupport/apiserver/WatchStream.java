package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The events of one watch, read by a thread of its own. */
final class WatchStream implements AutoCloseable {
  private static final String END = "end of the watch";

  private final InputStream in;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(10_000);

  WatchStream(InputStream in) {
    this.in = in;
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    try (var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException _) {
      // closed by the case, or by the server: the end either way
    } finally {
      lines.add(END);
    }
  }

  /** The next event, bookmarks included. */
  JsonNode next() throws Exception {
    String line = lines.poll(30, TimeUnit.SECONDS);
    if (line == null || line.equals(END)) {
      throw new AssertionError(line == null ? "no event within 30 s" : "the watch has ended");
    }
    return Api.MAPPER.readTree(line);
  }

  /** The next events as {@code TYPE name}, without bookmarks. */
  List<String> take(int count) throws Exception {
    List<String> seen = new ArrayList<>();
    while (seen.size() < count) {
      JsonNode event = next();
      String type = event.path("type").asText();
      if (!type.equals("BOOKMARK")) {
        seen.add(type + " " + event.at("/object/metadata/name").asText());
      }
    }
    return seen;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
