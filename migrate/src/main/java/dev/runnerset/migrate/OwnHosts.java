package dev.runnerset.migrate;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Hosts that an installation may have to list: its programs ask GitHub's own without that. */
final class OwnHosts {
  private OwnHosts() {}

  /** Tells where the server of a URL may have to be listed. */
  static void tellServer(Fields fields, String url) {
    var host = host(url);
    if (host != null
        && !host.matches("(www\\.|api\\.)?github\\.com")
        && !host.endsWith(".ghe.com")) {
      fields.note("githubConfigUrl", "the server " + host + " is your own: " + advice(host));
    }
  }

  /** Tells where a proxy may have to be listed. */
  static void tellProxy(Fields fields, String url) {
    var host = host(url);
    if (host != null) {
      fields.note(
          "url",
          "if it has a private address, put "
              + host
              + " into allowedHosts of charts/runnerset (--allowed-hosts of both programs)");
    }
  }

  private static String advice(String host) {
    return "if it has a private address, or is asked by plain http or through a proxy, put "
        + host
        + " into allowedHosts of charts/runnerset (--allowed-hosts of both programs)";
  }

  private static @Nullable String host(String url) {
    try {
      var host = URI.create(url.strip()).getHost();
      return host == null ? null : host.toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return null; // reported by others
    }
  }
}
