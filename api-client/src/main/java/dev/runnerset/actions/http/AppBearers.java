package dev.runnerset.actions.http;

import dev.runnerset.actions.Credentials;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The tokens of an app's installation. Thread-safe. */
final class AppBearers implements BearerSource {
  private final RegistrationApi api;
  private final Credentials.App app;
  private final AppJwt jwt;
  private final Clock clock;
  private @Nullable InstallationToken kept; // guarded by this

  AppBearers(RegistrationApi api, Credentials.App app, Clock clock) {
    this.api = api;
    this.app = app;
    this.jwt = new AppJwt(app);
    this.clock = clock;
  }

  @Override
  public String bearer() {
    return made().token();
  }

  @Override
  public synchronized String kept() {
    var now = clock.instant();
    if (kept == null || !now.plus(AdminConnections.MARGIN).isBefore(expiry(kept, now))) {
      kept = made(); // others wait for it, too
    }
    return kept.token();
  }

  /** One without an expiry is not kept. */
  private static Instant expiry(InstallationToken token, Instant now) {
    return token.expiresAt() == null ? now : token.expiresAt();
  }

  @Override
  public synchronized boolean refused(String token) {
    if (kept != null && kept.token().equals(token)) {
      kept = null;
    }
    return true;
  }

  private InstallationToken made() {
    return api.installationToken(app.installationId(), jwt.at(clock.instant()));
  }
}
