package dev.runnerset.connection;

import dev.runnerset.actions.Credentials;
import dev.runnerset.base.Pure;
import dev.runnerset.crds.condition.AccessReason;
import java.util.List;
import java.util.Map;

/** Credentials from the content of a secret: a token or an App, whole, and not both. */
@Pure
final class CredentialsCheck {
  static final String TOKEN = "github_token";
  static final String APP_ID = "github_app_id";
  static final String INSTALLATION_ID = "github_app_installation_id";
  static final String PRIVATE_KEY = "github_app_private_key";
  private static final List<String> APP_KEYS = List.of(APP_ID, INSTALLATION_ID, PRIVATE_KEY);

  private CredentialsCheck() {}

  /**
   * Reads credentials; space around a value does not count, and a blank value counts as absent.
   *
   * @param secret what to call the secret in a sentence
   * @throws InvalidConnectionException that names the key and no value
   */
  static Credentials read(String secret, Map<String, String> valueByKey) {
    var token = value(valueByKey, TOKEN);
    var missing = APP_KEYS.stream().filter(key -> value(valueByKey, key).isEmpty()).toList();
    boolean anyAppKey = missing.size() < APP_KEYS.size();
    if (!token.isEmpty() && anyAppKey) {
      throw malformed(
          secret
              + " has both github_token and keys of a GitHub App: keep github_token, or"
              + " github_app_id, github_app_installation_id and github_app_private_key");
    }
    if (!token.isEmpty()) {
      return token(secret, token);
    }
    if (!anyAppKey) {
      throw malformed(
          secret
              + " has no credentials: set github_token, or github_app_id,"
              + " github_app_installation_id and github_app_private_key");
    }
    if (!missing.isEmpty()) {
      throw malformed(secret + " lacks " + String.join(" and ", missing) + " of its GitHub App");
    }
    return app(secret, valueByKey);
  }

  private static Credentials token(String secret, String token) {
    if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw malformed(
          secret + ": github_token holds spaces or characters that no token has: set it again");
    }
    return new Credentials.Token(token);
  }

  private static Credentials app(String secret, Map<String, String> valueByKey) {
    var key = value(valueByKey, PRIVATE_KEY);
    if (!key.startsWith("-----BEGIN ") || !key.contains("PRIVATE KEY-----")) {
      throw malformed(
          secret
              + ": github_app_private_key is no private key in PEM form: set the file that"
              + " GitHub gave for the App");
    }
    try {
      var installation = Long.parseLong(value(valueByKey, INSTALLATION_ID));
      return new Credentials.App(value(valueByKey, APP_ID), installation, key);
    } catch (NumberFormatException e) {
      throw malformed(
          secret
              + ": github_app_installation_id is not a number: it is the last part of the"
              + " installation's URL");
    }
  }

  private static String value(Map<String, String> valueByKey, String key) {
    return valueByKey.getOrDefault(key, "").strip();
  }

  private static InvalidConnectionException malformed(String message) {
    return new InvalidConnectionException(AccessReason.SECRET_MALFORMED, message);
  }
}
