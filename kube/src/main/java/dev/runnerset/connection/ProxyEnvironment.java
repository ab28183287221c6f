package dev.runnerset.connection;

import dev.runnerset.actions.http.ProxySetting;
import dev.runnerset.crds.condition.AccessReason;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of sets that name none: {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} of
 * the process, in small letters first, as other programs read them. This machine itself is reached
 * directly.
 */
final class ProxyEnvironment {
  private static final List<String> THIS_MACHINE = List.of("localhost", "127.0.0.0/8", "::1/128");

  private ProxyEnvironment() {}

  /**
   * The proxies that the variables name; null if they name none.
   *
   * @throws InvalidConnectionException with the name of a variable that makes no proxy
   */
  static @Nullable ProxySetting of(Map<String, String> variables) {
    var http = server("http_proxy", variables);
    var https = server("https_proxy", variables);
    if (http == null && https == null) {
      return null;
    }
    var direct = Arrays.stream(value("no_proxy", variables).split(",", -1)).map(String::strip);
    return new ProxySetting(
        http,
        https,
        Stream.concat(direct.filter(entry -> !entry.isEmpty()), THIS_MACHINE.stream()).toList(),
        true);
  }

  private static String value(String name, Map<String, String> variables) {
    var small = variables.getOrDefault(name, "").strip();
    return small.isEmpty()
        ? variables.getOrDefault(name.toUpperCase(Locale.ROOT), "").strip()
        : small;
  }

  private static ProxySetting.@Nullable Server server(String name, Map<String, String> variables) {
    var text = value(name, variables);
    if (text.isEmpty()) {
      return null;
    }
    try {
      var url = URI.create(text.contains("://") ? text : "http://" + text);
      var user = url.getRawUserInfo();
      if (user == null) {
        return ProxySetting.Server.open(url);
      }
      var bare = URI.create(text.substring(0, text.indexOf("://") + 3) + afterUser(url));
      int colon = user.indexOf(':');
      return colon < 0
          ? new ProxySetting.Server(bare, decoded(user), "")
          : new ProxySetting.Server(
              bare, decoded(user.substring(0, colon)), decoded(user.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      // without its text: it may have a password
      throw new InvalidConnectionException(
          AccessReason.PROXY_INVALID,
          "The environment variable "
              + name.toUpperCase(Locale.ROOT)
              + " must be of the form http://host:port or http://user:password@host:port; or name a"
              + " proxy in spec.proxy");
    }
  }

  private static String afterUser(URI url) {
    var authority = url.getRawAuthority();
    return authority.substring(authority.lastIndexOf('@') + 1);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
