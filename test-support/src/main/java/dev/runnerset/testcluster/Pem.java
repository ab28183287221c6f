package dev.runnerset.testcluster;

import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Base64;
import java.util.List;

/** Keys and certificates as PEM text. */
final class Pem {
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private Pem() {}

  static String of(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + LINES.encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }

  static String of(PublicKey key) {
    return of("PUBLIC KEY", key.getEncoded());
  }

  /** The key must be RSA for an RSA form and EC for an EC form. */
  static String of(PrivateKey key, KeyForm form) {
    byte[] pkcs8 = key.getEncoded();
    return switch (form) {
      case PKCS8_RSA, PKCS8_EC -> of("PRIVATE KEY", pkcs8);
      case PKCS1_RSA -> of("RSA PRIVATE KEY", inner(pkcs8));
      case SEC1_EC -> of("EC PRIVATE KEY", sec1(pkcs8));
    };
  }

  /** PKCS#8 is version, algorithm, and the older form as octets (RFC 5208). */
  private static byte[] inner(byte[] pkcs8) {
    return Der.content(Der.elements(pkcs8).get(2));
  }

  /**
   * The JDK leaves the curve out of the inner key, as PKCS#8 names it outside; SEC1 alone needs it
   * (RFC 5915: version, key, [0] curve).
   */
  private static byte[] sec1(byte[] pkcs8) {
    byte[] curve = Der.elements(Der.elements(pkcs8).get(1)).get(1);
    List<byte[]> key = Der.elements(inner(pkcs8));
    return Der.sequence(key.get(0), key.get(1), Der.tagged(0xa0, curve));
  }
}
