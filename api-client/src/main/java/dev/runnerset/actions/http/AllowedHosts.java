package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The hosts that an installation lists: they may have private addresses and speak plain http, and a
 * proxy may be asked for them (CN6). Entries are {@code HOST}, {@code HOST:PORT} and {@code
 * *.DOMAIN}, which means the subdomains only; write an IPv6 address in brackets.
 *
 * @param entries in small letters, addresses in one spelling
 */
public record AllowedHosts(Set<String> entries) {
  /** None is listed: https to public addresses only. */
  public static final AllowedHosts NONE = of();

  private static final Pattern ENTRY =
      Pattern.compile(
          "(?<name>(?:\\*\\.)?[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?|\\[[0-9A-Fa-f:.]+])"
              + "(?<port>:[1-9][0-9]{0,4})?");

  /** What is no address of a public host; the IPv4 addresses inside of IPv6 ones are taken out. */
  private static final List<String> PRIVATE =
      List.of(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "224.0.0.0/3", // multicast, and 240.0.0.0/4
          "64:ff9b:1::/48", // NAT64 of a network's own
          "fc00::/7",
          "fe80::/9", // link-local, and the former site-local
          "ff00::/8");

  /**
   * Reads entries.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  public AllowedHosts {
    entries = entries.stream().map(AllowedHosts::read).collect(Collectors.toUnmodifiableSet());
  }

  /** These entries. */
  public static AllowedHosts of(String... entries) {
    return new AllowedHosts(Set.of(entries));
  }

  /**
   * The entries of a flag.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  public static AllowedHosts read(String flag, List<String> entries) {
    try {
      return new AllowedHosts(Set.copyOf(entries));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(flag + ": " + e.getMessage(), e);
    }
  }

  private static String read(String entry) {
    var matcher = ENTRY.matcher(entry.strip());
    if (!matcher.matches() || !ConfigUrl.isPossiblePort(entry.strip())) {
      throw new IllegalArgumentException(
          "'"
              + entry
              + "' names no host: write github.example.com, github.example.com:8443 or"
              + " *.example.com; write an IPv6 address in brackets, and a port of at most 65535");
    }
    var port = matcher.group("port");
    return oneSpelling(Objects.requireNonNull(matcher.group("name"))) + (port == null ? "" : port);
  }

  /** Whether an entry lists the host for that port. */
  boolean list(String host, int port) {
    var name = oneSpelling(host);
    return entries.contains(name)
        || entries.contains(name + ":" + port)
        || IntStream.range(1, name.length())
            .filter(i -> name.charAt(i) == '.')
            .anyMatch(i -> entries.contains("*" + name.substring(i)));
  }

  /** The entry that lists the host for that port and no other. */
  static String entry(String host, int port) {
    return oneSpelling(host) + ":" + port;
  }

  /** Whether the address is of a private network, of this machine, or of a link. */
  static boolean isPrivate(InetAddress address) {
    var bytes = withoutPrefix(address.getAddress());
    return PRIVATE.stream().anyMatch(block -> NoProxy.inBlock(block, bytes));
  }

  /** The IPv4 address that an IPv6 one stands for (mapped, compatible, NAT64, 6to4), or itself. */
  private static byte[] withoutPrefix(byte[] bytes) {
    if (bytes.length == 4) {
      return bytes;
    }
    if (NoProxy.inBlock("2002::/16", bytes)) {
      return Arrays.copyOfRange(bytes, 2, 6);
    }
    boolean last =
        NoProxy.inBlock("::/96", bytes)
            || NoProxy.inBlock("64:ff9b::/96", bytes)
            || isMapped(bytes);
    return last ? Arrays.copyOfRange(bytes, 12, 16) : bytes;
  }

  /** Java reads ::ffff:0:0 as an IPv4 address, so no text of a block means this one. */
  private static boolean isMapped(byte[] bytes) {
    return NoProxy.inBlock("::/80", bytes) && bytes[10] == -1 && bytes[11] == -1;
  }

  private static String oneSpelling(String host) {
    var address = NoProxy.literal(host);
    if (address == null) {
      return host.toLowerCase(Locale.ROOT);
    }
    return address instanceof Inet6Address
        ? "[" + address.getHostAddress() + "]"
        : address.getHostAddress();
  }
}
