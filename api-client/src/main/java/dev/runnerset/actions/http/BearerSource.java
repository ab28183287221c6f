package dev.runnerset.actions.http;

import dev.runnerset.actions.Credentials;
import java.time.Clock;

/** Tokens that authorise calls of the REST API (protocol 1.4, protocol 3.15). */
interface BearerSource {
  /** A new token at each call, since installation tokens are not kept (protocol 1.5). */
  String bearer();

  /** The source for these credentials, which are checked at once. */
  static BearerSource of(RegistrationApi api, Credentials credentials, Clock clock) {
    return switch (credentials) {
      case Credentials.Token(var value) -> {
        var token = checked(value.strip());
        yield () -> token;
      }
      case Credentials.App app -> {
        var jwt = new AppJwt(app);
        yield () -> api.installationToken(app.installationId(), jwt.at(clock.instant()));
      }
    };
  }

  private static String checked(String token) {
    if (token.isEmpty()) {
      throw new IllegalArgumentException("the token is empty");
    }
    if (!token.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
      throw new IllegalArgumentException(
          "the token holds a character that no token has, such as a space or a line break");
    }
    return token;
  }
}
