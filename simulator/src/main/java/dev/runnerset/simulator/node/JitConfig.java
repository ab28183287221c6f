package dev.runnerset.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A decoded JIT configuration (protocol 8.1). It is a credential: {@link #toString} tells only the
 * runner's name.
 */
record JitConfig(
    String agentName, URI server, String clientId, URI authorizationUrl, PrivateKey key) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MAX_KEYS = 64;

  /** Keys come from a small pool; parsing one costs more than the rest of a runner's start. */
  private static final ConcurrentHashMap<String, PrivateKey> KEYS = new ConcurrentHashMap<>();

  /**
   * Decodes the blob.
   *
   * @throws IllegalArgumentException if it is none; the message does not repeat it
   */
  static JitConfig decode(String blob) {
    try {
      var files = MAPPER.readTree(Base64.getMimeDecoder().decode(blob));
      var runner = file(files, ".runner");
      var data = field(file(files, ".credentials"), "Data");
      var server = text(runner, "ServerUrlV2");
      return new JitConfig(
          text(runner, "AgentName"),
          URI.create(server.endsWith("/") ? server : server + "/"),
          text(data, "clientId"),
          URI.create(text(data, "authorizationUrl")),
          key(text(files, ".credentials_rsaparams")));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException("not a JIT configuration");
    }
  }

  private static JsonNode file(JsonNode files, String name) throws IOException {
    return MAPPER.readTree(Base64.getDecoder().decode(text(files, name)));
  }

  private static PrivateKey key(String encoded) throws IOException, GeneralSecurityException {
    var known = KEYS.get(encoded);
    if (known != null) {
      return known;
    }
    var p = MAPPER.readTree(Base64.getDecoder().decode(encoded));
    var key =
        KeyFactory.getInstance("RSA")
            .generatePrivate(
                new RSAPrivateCrtKeySpec(
                    number(p, "modulus"),
                    number(p, "exponent"),
                    number(p, "d"),
                    number(p, "p"),
                    number(p, "q"),
                    number(p, "dp"),
                    number(p, "dq"),
                    number(p, "inverseQ")));
    if (KEYS.size() < MAX_KEYS) {
      KEYS.put(encoded, key);
    }
    return key;
  }

  private static BigInteger number(JsonNode node, String name) {
    return new BigInteger(1, Base64.getDecoder().decode(text(node, name)));
  }

  private static String text(JsonNode node, String name) {
    var value = field(node, name).asText();
    if (value.isEmpty()) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }

  /** Keys are case-insensitive (protocol 8.1). */
  private static JsonNode field(JsonNode node, String name) {
    for (var entry : node.properties()) {
      if (entry.getKey().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        return entry.getValue();
      }
    }
    return node.path(name);
  }

  @Override
  public String toString() {
    return "JitConfig[" + agentName + "]";
  }
}
