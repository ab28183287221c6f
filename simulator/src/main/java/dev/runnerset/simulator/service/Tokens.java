package dev.runnerset.simulator.service;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Tokens given out, each good for one thing until an instant. They have the form of a JWT, because
 * clients read {@code exp} (protocol 1.6); the signature is a random number. Guarded by the {@link
 * ServiceState}.
 *
 * @param <T> what a token is good for
 */
final class Tokens<T> {
  private record Held<T>(T value, Instant expires) {}

  private static final int LIMIT = 20_000;
  private final Map<String, Held<T>> held = new LinkedHashMap<>();
  private final Supplier<UUID> ids;

  Tokens(Supplier<UUID> ids) {
    this.ids = ids;
  }

  String issue(T value, Instant now, Instant expires) {
    held.values().removeIf(h -> !h.expires().isAfter(now));
    if (held.size() >= LIMIT) {
      held.remove(held.keySet().iterator().next());
    }
    var payload =
        Json.object()
            .put("iat", now.getEpochSecond())
            .put("exp", expires.getEpochSecond())
            .put("jti", ids.get().toString());
    var token =
        encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")
            + "."
            + encode(Json.text(payload))
            + "."
            + encode(ids.get().toString());
    held.put(token, new Held<>(value, expires));
    return token;
  }

  Optional<T> find(String token, Instant now) {
    return Optional.ofNullable(held.get(token))
        .filter(h -> h.expires().isAfter(now))
        .map(Held::value);
  }

  /** None of those that were given out is good any more. */
  void endAll() {
    held.clear();
  }

  private static String encode(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
