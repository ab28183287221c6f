package dev.runnerset.actions.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which hosts are reached without a proxy; the forms are those of {@link ProxySetting}. */
final class NoProxy {
  private NoProxy() {}

  /** Whether one of the entries names the host. */
  static boolean covers(List<String> entries, String host, int port) {
    var bare = bracketless(host.toLowerCase(Locale.ROOT));
    return entries.stream()
        .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
        .anyMatch(entry -> covers(entry, bare, port));
  }

  private static boolean covers(String entry, String host, int port) {
    if (entry.isEmpty()) {
      return false;
    }
    if (entry.equals("*")) {
      return true;
    }
    if (entry.contains("/")) {
      var candidate = literal(host);
      return candidate != null && inBlock(entry, candidate.getAddress());
    }
    int colon = entry.lastIndexOf(':');
    boolean withPort = colon > 0 && (entry.indexOf(':') == colon || entry.charAt(colon - 1) == ']');
    if (withPort && !entry.substring(colon + 1).equals(Integer.toString(port))) {
      return false;
    }
    var name = bracketless(withPort ? entry.substring(0, colon) : entry);
    if (name.startsWith("*.")) {
      name = name.substring(1);
    }
    return name.startsWith(".")
        ? host.endsWith(name)
        : host.equals(name) || (literal(name) == null && host.endsWith("." + name));
  }

  /** Whether the bytes of an address are in a CIDR block, which is of the same kind. */
  static boolean inBlock(String block, byte[] candidate) {
    int slash = block.indexOf('/');
    var literal = literal(block.substring(0, slash));
    var network = literal == null ? new byte[0] : literal.getAddress();
    if (network.length != candidate.length) {
      return false;
    }
    int bits = bits(block.substring(slash + 1), network.length * 8);
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> (i % 8);
      if ((network[i / 8] & mask) != (candidate[i / 8] & mask)) {
        return false;
      }
    }
    return bits >= 0;
  }

  private static int bits(String text, int most) {
    try {
      int bits = Integer.parseInt(text);
      return bits <= most ? bits : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The address that the text writes out, or null if it is a name; never asks a name server. */
  static @Nullable InetAddress literal(String text) {
    try {
      return InetAddress.ofLiteral(bracketless(text));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String bracketless(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
