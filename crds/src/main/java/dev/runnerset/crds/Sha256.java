package dev.runnerset.crds;

import dev.runnerset.base.Pure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Short stable hashes for names and for what is compared. */
@Pure
public final class Sha256 {
  private Sha256() {}

  /** So many hexadecimal digits. */
  public static String hex(String text, int digits) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var bytes = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(bytes).substring(0, digits);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
