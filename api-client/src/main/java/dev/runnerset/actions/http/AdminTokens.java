package dev.runnerset.actions.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/** Looks at tokens without verifying them: only their end interests us (protocol 1.6). */
final class AdminTokens {
  private AdminTokens() {}

  /** In characters: more than any server takes in a header, and every session keeps one. */
  private static final int LONGEST = 16 * 1024;

  /** Whether it can stand in a header; an HTTP library would quote it in its complaint. */
  static boolean isUsable(String token) {
    return !token.isEmpty()
        && token.length() <= LONGEST
        && token.chars().allMatch(c -> c > 0x20 && c < 0x7f);
  }

  /** When it expires, or empty if it is no JWT or does not say. */
  static Optional<Instant> expiry(String token) {
    var parts = token.split("\\.", -1);
    if (parts.length != 3 || !isUsable(token)) {
      return Optional.empty();
    }
    return decoded(parts[1])
        .flatMap(json -> Json.read(json, Wire.Claims.class))
        .map(Wire.Claims::exp)
        .filter(exp -> exp > 0 && exp < 1e11)
        .map(exp -> Instant.ofEpochSecond(exp.longValue()));
  }

  private static Optional<String> decoded(String part) {
    try {
      return Optional.of(new String(Base64.getUrlDecoder().decode(part), UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
