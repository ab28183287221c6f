package dev.runnerset.actions.http;

import dev.runnerset.actions.Credentials;
import java.time.Clock;
import java.time.Duration;

/** Tokens that authorise calls of the REST API (protocol 1.4, protocol 3.15). Thread-safe. */
interface BearerSource {
  /** A new token at each call, so that a registration is by the credentials as they are now. */
  String bearer();

  /** For calls that can wait: the token of an app is kept for its life. */
  default String kept() {
    return bearer();
  }

  /**
   * The service refused a token that was kept.
   *
   * @return whether {@link #kept} gives another one now
   */
  default boolean refused(String token) {
    return false;
  }

  /**
   * The source for these credentials, which are checked at once.
   *
   * @param atMost how long a caller waits for a token that is kept
   */
  static BearerSource of(
      RegistrationApi api, Credentials credentials, Clock clock, Duration atMost) {
    return switch (credentials) {
      case Credentials.Token(var value) -> {
        var token = checked(value.strip());
        yield () -> token;
      }
      case Credentials.App app -> new AppBearers(api, app, clock, atMost);
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
