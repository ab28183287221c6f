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
      return inBlock(entry, host);
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
        : host.equals(name) || (address(name) == null && host.endsWith("." + name));
  }

  private static boolean inBlock(String block, String host) {
    int slash = block.indexOf('/');
    var network = address(block.substring(0, slash));
    var candidate = address(host);
    if (network == null || candidate == null || network.length != candidate.length) {
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

  private static byte @Nullable [] address(String text) {
    try {
      return InetAddress.ofLiteral(text).getAddress(); // never asks a name server
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String bracketless(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
