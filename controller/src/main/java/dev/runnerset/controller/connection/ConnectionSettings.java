package dev.runnerset.controller.connection;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a connection was made from, all references read.
 *
 * @param proxies null for a direct way
 * @param authoritiesPem certificates that are trusted besides the system's; empty for none
 */
public record ConnectionSettings(
    ConfigUrl url, Credentials credentials, @Nullable Proxies proxies, String authoritiesPem) {

  /** The proxies, by the scheme of the URL asked for. */
  public record Proxies(@Nullable Proxy http, @Nullable Proxy https, List<String> noProxy) {
    /** Copies the list. */
    public Proxies {
      noProxy = List.copyOf(noProxy);
    }
  }

  /**
   * One proxy. Its password is never printed.
   *
   * @param user empty for none
   */
  public record Proxy(URI url, String user, String password) {
    @Override
    public String toString() {
      return "Proxy[" + url + ", hidden]";
    }
  }
}
