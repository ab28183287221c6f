package dev.runnerset.cli.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;

/**
 * A tar archive in gzip, in the form that POSIX names ustar. A library for that would add 2.7 MB to
 * the archive of the plugin. Not for several threads.
 */
final class TarGz implements AutoCloseable {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final int PREFIX_AT = 345;
  private static final int PREFIX = 155;
  private static final int CHECKSUM_AT = 148;

  private final GZIPOutputStream out;
  private final Instant time;

  /** Writes to that stream, which is closed with this. */
  TarGz(OutputStream out, Instant time) throws IOException {
    this.out = new GZIPOutputStream(out);
    this.time = time;
  }

  /**
   * Adds a file.
   *
   * @param folder at most 155 bytes in UTF-8; longer ones are cut
   * @param name at most 100 bytes in UTF-8; longer ones are cut
   */
  void add(String folder, String name, byte[] content) throws IOException {
    var header = new byte[BLOCK];
    put(header, 0, NAME, name);
    put(header, PREFIX_AT, PREFIX, folder);
    put(header, 100, 8, "0000600\0");
    put(header, 108, 8, "0000000\0");
    put(header, 116, 8, "0000000\0");
    put(header, 124, 12, "%011o\0".formatted(content.length));
    put(header, 136, 12, "%011o\0".formatted(Math.max(0, time.getEpochSecond())));
    put(header, CHECKSUM_AT, 8, " ".repeat(8));
    put(header, 156, 1, "0");
    put(header, 257, 8, "ustar\00000");
    int sum = 0;
    for (byte each : header) {
      sum += each & 0xFF;
    }
    put(header, CHECKSUM_AT, 8, "%06o\0 ".formatted(sum));
    out.write(header);
    out.write(content);
    out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
  }

  private static void put(byte[] header, int at, int longest, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, header, at, Math.min(bytes.length, longest));
  }

  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK]); // the end
    out.close();
  }
}
