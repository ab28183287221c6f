package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A pool of RSA keys, and the JIT configurations made with them (protocol 8.1). Thread-safe. */
final class JitKeys {
  private static final int POOL = 4;
  private static final Map<Integer, JitKeys> KEYS_BY_BITS = new ConcurrentHashMap<>();
  private final List<KeyPair> keys = new ArrayList<>();
  private final List<String> parameters = new ArrayList<>();

  /** The keys of that size, which all services of this process share: each takes long to make. */
  static JitKeys of(int bits) {
    return KEYS_BY_BITS.computeIfAbsent(bits, JitKeys::new);
  }

  private JitKeys(int bits) {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(bits);
      for (int i = 0; i < POOL; i++) {
        var pair = generator.generateKeyPair();
        keys.add(pair);
        parameters.add(encode(rsaParameters((RSAPrivateCrtKey) pair.getPrivate())));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no RSA in this JVM", e);
    }
  }

  int keyOf(int runnerId) {
    return Math.floorMod(runnerId, POOL);
  }

  /** The blob a runner is started with; an empty work folder is {@code _work}. */
  String blob(Runner runner, String workFolder, URI root) {
    var settings =
        Json.object()
            .put("AgentId", Integer.toString(runner.id))
            .put("AgentName", runner.name)
            .put("PoolId", "1")
            .put("PoolName", "Default")
            .put("DisableUpdate", Boolean.toString(runner.set.disableUpdate))
            .put("Ephemeral", "true")
            .put("ServerUrl", root + "/rest/")
            .put("ServerUrlV2", root + "/broker/")
            .put("GitHubUrl", "")
            .put("WorkFolder", workFolder.isEmpty() ? "_work" : workFolder)
            .put("UseV2Flow", "true")
            .put("SkipSessionRecover", "True");
    var credentials = Json.object().put("Scheme", "OAuth");
    credentials
        .putObject("Data")
        .put("clientId", runner.clientId)
        .put("authorizationUrl", root + "/oauth/token")
        .put("requireFipsCryptography", "False");
    return encode(
        Json.object()
            .put(".runner", encode(settings))
            .put(".credentials", encode(credentials))
            .put(".credentials_rsaparams", parameters.get(runner.key)));
  }

  /** Whether the JWT is signed with the runner's key. */
  boolean signed(String jwt, int key) {
    return Jwt.isSigned(jwt, keys.get(key).getPublic());
  }

  private static ObjectNode rsaParameters(RSAPrivateCrtKey key) {
    return Json.object()
        .put("d", number(key.getPrivateExponent()))
        .put("dp", number(key.getPrimeExponentP()))
        .put("dq", number(key.getPrimeExponentQ()))
        .put("exponent", number(key.getPublicExponent()))
        .put("inverseQ", number(key.getCrtCoefficient()))
        .put("modulus", number(key.getModulus()))
        .put("p", number(key.getPrimeP()))
        .put("q", number(key.getPrimeQ()));
  }

  private static String number(BigInteger value) {
    var bytes = value.toByteArray();
    var start = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    return Base64.getEncoder()
        .encodeToString(java.util.Arrays.copyOfRange(bytes, start, bytes.length));
  }

  private static String encode(ObjectNode node) {
    return Base64.getEncoder().encodeToString(Json.bytes(node));
  }
}
