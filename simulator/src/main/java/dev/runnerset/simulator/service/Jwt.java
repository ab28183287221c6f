package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;

/** JWTs that clients sign with RS256 (protocol 1.5, protocol 8.2). */
final class Jwt {
  private Jwt() {}

  /** The claims, whoever signed them; a missing node if it is no JWT. */
  static JsonNode claims(String jwt) {
    var parts = jwt.split("\\.");
    try {
      return parts.length == 3
          ? Json.parse(Base64.getUrlDecoder().decode(parts[1].getBytes(StandardCharsets.US_ASCII)))
          : MissingNode.getInstance();
    } catch (IllegalArgumentException notBase64) {
      return MissingNode.getInstance();
    }
  }

  /** Whether the JWT is signed with the key that belongs to this one. */
  static boolean isSigned(String jwt, PublicKey key) {
    var end = jwt.lastIndexOf('.');
    try {
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initVerify(key);
      signature.update(jwt.substring(0, end).getBytes(StandardCharsets.US_ASCII));
      return signature.verify(Base64.getUrlDecoder().decode(jwt.substring(end + 1)));
    } catch (GeneralSecurityException | IllegalArgumentException | IndexOutOfBoundsException bad) {
      return false;
    }
  }
}
