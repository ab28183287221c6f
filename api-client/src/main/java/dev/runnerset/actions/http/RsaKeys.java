package dev.runnerset.actions.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** RSA private keys in PEM, PKCS#1 or PKCS#8 (protocol 1.5). */
final class RsaKeys {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN (RSA )?PRIVATE KEY-----([^-]+)-----END (RSA )?PRIVATE KEY-----");

  /** Version 0 and the algorithm rsaEncryption, as PKCS#8 has them before the PKCS#1 key. */
  private static final byte[] PKCS8_HEAD =
      HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

  private RsaKeys() {}

  /**
   * Reads the first key of a PEM text.
   *
   * @throws IllegalArgumentException with a sentence for the user and nothing of the key
   */
  static PrivateKey fromPem(String pem) {
    var block = BLOCK.matcher(pem);
    if (!block.find()) {
      throw invalid();
    }
    try {
      var der = Base64.getMimeDecoder().decode(block.group(2).strip());
      var pkcs8 = block.group(1) == null ? der : pkcs8Of(der);
      return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw invalid(); // without the cause: it may quote the key
    }
  }

  private static byte[] pkcs8Of(byte[] pkcs1) {
    var content = new ByteArrayOutputStream();
    content.writeBytes(PKCS8_HEAD);
    content.writeBytes(der(0x04, pkcs1));
    return der(0x30, content.toByteArray());
  }

  /** A DER value of 256 to 65,535 bytes; a key with fewer is too short for the JDK, so refused. */
  private static byte[] der(int tag, byte[] value) {
    return ByteBuffer.allocate(4 + value.length)
        .put((byte) tag)
        .put((byte) 0x82) // two bytes of length follow
        .putShort((short) value.length)
        .put(value)
        .array();
  }

  private static IllegalArgumentException invalid() {
    return new IllegalArgumentException(
        "the app's private key is not an RSA key in PEM (BEGIN RSA PRIVATE KEY or BEGIN PRIVATE"
            + " KEY)");
  }
}
