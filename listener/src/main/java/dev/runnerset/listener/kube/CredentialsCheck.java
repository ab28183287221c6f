package dev.runnerset.listener.kube;

import dev.runnerset.actions.Credentials;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.listener.session.UnusableAccessException;
import java.util.List;
import java.util.Map;

/** Credentials from the content of a secret: a token or a GitHub App, whole, and not both. Pure. */
final class CredentialsCheck {
  private static final String TOKEN = "github_token";
  private static final String APP_ID = "github_app_id";
  private static final String INSTALLATION_ID = "github_app_installation_id";
  private static final String PRIVATE_KEY = "github_app_private_key";
  private static final List<String> APP = List.of(APP_ID, INSTALLATION_ID, PRIVATE_KEY);

  private CredentialsCheck() {}

  /**
   * Reads credentials; a blank value is none.
   *
   * @param secret what to call the secret in a sentence
   * @throws UnusableAccessException that names the key, and no value
   */
  static Credentials read(String secret, Map<String, String> valueByKey) {
    var token = value(valueByKey, TOKEN);
    var missing = APP.stream().filter(key -> value(valueByKey, key).isEmpty()).toList();
    if (!token.isEmpty() && missing.size() < APP.size()) {
      throw malformed(secret + " has both " + TOKEN + " and keys of a GitHub App: keep one kind");
    }
    if (!token.isEmpty()) {
      if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
        throw malformed(secret + ": " + TOKEN + " holds characters that no token has");
      }
      return new Credentials.Token(token);
    }
    if (missing.size() == APP.size()) {
      throw malformed(secret + " has no " + TOKEN + ": set it, or " + String.join(", ", APP));
    }
    if (!missing.isEmpty()) {
      throw malformed(secret + " lacks " + String.join(" and ", missing) + " of its GitHub App");
    }
    return app(secret, valueByKey);
  }

  private static Credentials app(String secret, Map<String, String> valueByKey) {
    var key = value(valueByKey, PRIVATE_KEY);
    if (!key.startsWith("-----BEGIN ")) {
      throw malformed(secret + ": " + PRIVATE_KEY + " is no private key in PEM form");
    }
    try {
      return new Credentials.App(
          value(valueByKey, APP_ID), Long.parseLong(value(valueByKey, INSTALLATION_ID)), key);
    } catch (NumberFormatException e) {
      throw malformed(secret + ": " + INSTALLATION_ID + " is not a number");
    }
  }

  private static String value(Map<String, String> valueByKey, String key) {
    return valueByKey.getOrDefault(key, "").strip();
  }

  private static UnusableAccessException malformed(String message) {
    return new UnusableAccessException(AccessReason.SECRET_MALFORMED, message);
  }
}
