package dev.runnerset.kube;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A bearer token that the kubelet renews in its file; read again once a minute, since a bound
 * service account token is replaced long before it ends. Thread-safe.
 */
final class TokenFile implements OAuthTokenProvider {
  static final Duration REREAD_AFTER = Duration.ofMinutes(1);

  private record Reading(String token, Instant at) {}

  private final Path file;
  private final Clock clock;
  private volatile @Nullable Reading last;

  TokenFile(Path file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  @Override
  public String getToken() {
    var known = last;
    var now = clock.instant();
    if (known != null && now.isBefore(known.at().plus(REREAD_AFTER))) {
      return known.token();
    }
    try {
      var token = Files.readString(file).strip();
      last = new Reading(token, now);
      return token;
    } catch (IOException e) {
      if (known != null) {
        return known.token(); // the file is being replaced: the old token is still good
      }
      throw new UnreachableClusterException("The token file " + file + " cannot be read", e);
    }
  }
}
