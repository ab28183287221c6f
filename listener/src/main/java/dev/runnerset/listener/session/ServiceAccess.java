package dev.runnerset.listener.session;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All it takes to reach the service for one set. Secret: never printed.
 *
 * @param certificates PEM of authorities trusted beside the system's, or null
 */
public record ServiceAccess(
    ConfigUrl url,
    Credentials credentials,
    @Nullable Proxy http,
    @Nullable Proxy https,
    List<String> noProxy,
    @Nullable String certificates) {
  /** Copies the list. */
  public ServiceAccess {
    noProxy = List.copyOf(noProxy);
  }

  /** One proxy; user and password are both null or both given. */
  public record Proxy(String url, @Nullable String user, @Nullable String password) {
    @Override
    public String toString() {
      return "Proxy[" + url + ", hidden]";
    }
  }

  @Override
  public String toString() {
    return "ServiceAccess[" + url + ", hidden]";
  }
}
