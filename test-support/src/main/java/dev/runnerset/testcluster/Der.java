package dev.runnerset.testcluster;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes and takes apart the few DER values that certificates and keys need (X.690). */
final class Der {
  private static final DateTimeFormatter UTC_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, concat(parts));
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, concat(parts));
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] bool(boolean value) {
    return tagged(0x01, new byte[] {(byte) (value ? 0xff : 0)});
  }

  static byte[] octets(byte[] content) {
    return tagged(0x04, content);
  }

  /** A bit string whose last byte has {@code unusedBits} bits that do not count. */
  static byte[] bits(int unusedBits, byte[] content) {
    return tagged(0x03, concat(new byte[] {(byte) unusedBits}, content));
  }

  static byte[] utf8(String text) {
    return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Years 1950 to 2049 only: that is all this form of time can say. */
  static byte[] utcTime(Instant instant) {
    return tagged(0x17, UTC_TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] oid(String dotted) {
    List<Integer> arcs = Arrays.stream(dotted.split("\\.")).map(Integer::valueOf).toList();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(arcs.get(0) * 40 + arcs.get(1));
    for (int arc : arcs.subList(2, arcs.size())) {
      for (int shift = 28; shift > 0; shift -= 7) {
        if (arc >>> shift != 0) {
          out.write(0x80 | (arc >>> shift & 0x7f));
        }
      }
      out.write(arc & 0x7f);
    }
    return tagged(0x06, out.toByteArray());
  }

  static byte[] tagged(int tag, byte[] content) {
    return concat(new byte[] {(byte) tag}, length(content.length), content);
  }

  /** The elements inside a constructed value, whole, in their order. */
  static List<byte[]> elements(byte[] constructed) {
    List<byte[]> elements = new ArrayList<>();
    int at = contentStart(constructed, 0);
    while (at < constructed.length) {
      int end = contentStart(constructed, at) + contentLength(constructed, at);
      elements.add(Arrays.copyOfRange(constructed, at, end));
      at = end;
    }
    return elements;
  }

  /** The content of one value, without tag and length. */
  static byte[] content(byte[] value) {
    return Arrays.copyOfRange(value, contentStart(value, 0), value.length);
  }

  private static int contentStart(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first - 0x80);
  }

  private static int contentLength(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    return new BigInteger(1, Arrays.copyOfRange(der, at + 2, contentStart(der, at)))
        .intValueExact();
  }

  private static byte[] length(int length) {
    if (length < 0x80) {
      return new byte[] {(byte) length};
    }
    byte[] bytes = BigInteger.valueOf(length).toByteArray();
    byte[] unsigned = bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    return concat(new byte[] {(byte) (0x80 | unsigned.length)}, unsigned);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
