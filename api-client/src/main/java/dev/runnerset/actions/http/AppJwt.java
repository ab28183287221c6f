package dev.runnerset.actions.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.runnerset.actions.Credentials;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** Makes the JWTs that identify an app: RS256, short-lived (protocol 1.5). Thread-safe. */
final class AppJwt {
  /** How far the clock of this machine may be ahead of the service's. */
  private static final Duration SKEW = Duration.ofSeconds(60);

  private static final Duration LIFETIME = Duration.ofMinutes(9);
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final String clientId;
  private final PrivateKey key;

  /**
   * Reads the key.
   *
   * @throws IllegalArgumentException with a sentence for the user and nothing secret
   */
  AppJwt(Credentials.App app) {
    if (!app.clientId().matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException(
          "the app's id is empty or holds other than [A-Za-z0-9._-]");
    }
    if (app.installationId() <= 0) {
      throw new IllegalArgumentException("the app's installation id must be a positive number");
    }
    this.clientId = app.clientId();
    this.key = RsaKeys.fromPem(app.privateKeyPem());
  }

  /** A JWT that holds from a minute before {@code now} to eight minutes after. */
  String at(Instant now) {
    var issuedAt = now.minus(SKEW).getEpochSecond();
    var claims =
        "{\"iat\":%d,\"exp\":%d,\"iss\":\"%s\"}"
            .formatted(issuedAt, issuedAt + LIFETIME.toSeconds(), clientId);
    var signed = encoded("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + "." + encoded(claims);
    return signed + "." + BASE64.encodeToString(signature(signed.getBytes(US_ASCII)));
  }

  private byte[] signature(byte[] signed) {
    try {
      var rs256 = Signature.getInstance("SHA256withRSA");
      rs256.initSign(key);
      rs256.update(signed);
      return rs256.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM cannot sign with the app's key", e);
    }
  }

  private static String encoded(String json) {
    return BASE64.encodeToString(json.getBytes(US_ASCII));
  }
}
