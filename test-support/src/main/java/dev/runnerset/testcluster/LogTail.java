package dev.runnerset.testcluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The end of a log file, short enough for a failure message. */
final class LogTail {
  private static final int MAX_BYTES = 4096;

  private LogTail() {}

  static String of(Path file) {
    if (!Files.exists(file)) {
      return "";
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
      channel.position(Math.max(0, channel.size() - MAX_BYTES));
      channel.read(bytes);
      return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    } catch (IOException e) {
      return "(" + file.getFileName() + " cannot be read: " + e.getMessage() + ")";
    }
  }
}
