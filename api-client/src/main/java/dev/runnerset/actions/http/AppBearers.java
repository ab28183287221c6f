package dev.runnerset.actions.http;

import dev.runnerset.actions.Credentials;
import java.time.Clock;
import java.time.Duration;

/** The tokens of an app's installation. Thread-safe. */
final class AppBearers implements BearerSource {
  private final RegistrationApi api;
  private final Credentials.App app;
  private final AppJwt jwt;
  private final Clock clock;
  private final Duration atMost;
  private final Renewed<InstallationToken> kept;
  private volatile String refused = "";

  /**
   * The first call makes the first token.
   *
   * @param atMost how long a caller waits for a token that is kept
   */
  AppBearers(RegistrationApi api, Credentials.App app, Clock clock, Duration atMost) {
    this.api = api;
    this.app = app;
    this.jwt = new AppJwt(app);
    this.clock = clock;
    this.atMost = atMost;
    this.kept = new Renewed<>(null, this::made);
  }

  @Override
  public String bearer() {
    return made().token();
  }

  @Override
  public String kept() {
    return Renewed.ended(kept.unless(this::isGood), atMost, "the token of the app").token();
  }

  /** One without an expiry is used once. */
  private boolean isGood(InstallationToken token) {
    return token.expiresAt() != null
        && clock.instant().plus(AdminConnections.MARGIN).isBefore(token.expiresAt())
        && !token.token().equals(refused);
  }

  @Override
  public boolean refused(String token) {
    refused = token;
    return true;
  }

  private InstallationToken made() {
    return api.installationToken(app.installationId(), jwt.at(clock.instant()));
  }
}
