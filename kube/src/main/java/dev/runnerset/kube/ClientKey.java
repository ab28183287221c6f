package dev.runnerset.kube;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The algorithm of a client key, read from the key itself: the client library takes every PKCS#8
 * key for an RSA key.
 */
final class ClientKey {
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END");

  private ClientKey() {}

  /** {@code RSA} or {@code EC} of a key in SEC1, PKCS#1 or PKCS#8 form, or empty for others. */
  static Optional<String> algorithm(byte[] pem) {
    var found = PEM.matcher(new String(pem, StandardCharsets.ISO_8859_1));
    if (!found.find()) {
      return Optional.empty();
    }
    return switch (found.group(1).strip()) {
      case "EC" -> Optional.of("EC");
      case "RSA" -> Optional.of("RSA");
      case "" -> ofPkcs8(Base64.getMimeDecoder().decode(found.group(2)));
      default -> Optional.empty();
    };
  }

  private static Optional<String> ofPkcs8(byte[] der) {
    for (var algorithm : List.of("RSA", "EC")) {
      try {
        var key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
        return Optional.of(key.getAlgorithm());
      } catch (GeneralSecurityException e) {
        // not of this algorithm
      }
    }
    return Optional.empty();
  }
}
