package dev.runnerset.testcluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads the API server's audit log piece by piece: each call sees the answered requests that were
 * written since the call before. Keeps nothing but its place in the file, so any number of readers
 * may follow one log. One thread at a time.
 *
 * <p>An entry is written right <em>after</em> its answer was sent, so the newest may be missing for
 * some milliseconds: await the count that is expected. A watch appears when it ends.
 */
public final class Audit {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path log;
  private long offset;

  private Audit(Path log, long offset) {
    this.log = log;
    this.offset = offset;
  }

  static Audit fromStart(Path log) {
    return new Audit(log, 0);
  }

  static Audit fromNow(Path log) {
    Audit audit = new Audit(log, 0);
    audit.forEachNew(_ -> {});
    return audit;
  }

  /**
   * The new entries in the order in which their answers were completed; empty if there are none.
   */
  public List<AuditEntry> next() {
    List<AuditEntry> entries = new ArrayList<>();
    forEachNew(entries::add);
    return entries;
  }

  /**
   * Counts the new accepted writes by who made them, for example {@code
   * countWrites(AuditEntry::userAgent)}.
   */
  public Map<String, Long> countWrites(Function<AuditEntry, String> writer) {
    Map<String, Long> countByWriter = new TreeMap<>();
    forEachNew(entry -> {
      if (entry.isWrite() && entry.isAccepted()) {
        countByWriter.merge(writer.apply(entry), 1L, Long::sum);
      }
    });
    return countByWriter;
  }

  /** Like {@link #next()} for a log too long for memory. */
  public void forEachNew(Consumer<AuditEntry> consumer) {
    if (!Files.exists(log)) {
      return; // nothing has been asked yet
    }
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      channel.position(offset);
      InputStream in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
      ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 10);
      for (int b = in.read(); b != -1; b = in.read()) {
        line.write(b);
        if (b == '\n') {
          offset += line.size(); // a line without an end is left for the next time
          accept(line.toByteArray(), consumer);
          line.reset();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void accept(byte[] line, Consumer<AuditEntry> consumer) throws IOException {
    JsonNode event = JSON.readTree(line);
    if (event.path("stage").asText().equals("ResponseComplete")) {
      consumer.accept(AuditEntry.of(event));
    }
  }
}
