package dev.runnerset.actions.http;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The token of an app's installation (protocol 1.4).
 *
 * @param expiresAt null if the service did not say
 */
record InstallationToken(String token, @Nullable Instant expiresAt) {
  @Override
  public String toString() {
    return "InstallationToken[expiresAt=" + expiresAt + "]"; // no secret is printed
  }
}
