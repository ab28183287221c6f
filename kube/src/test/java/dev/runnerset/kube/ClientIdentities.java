package dev.runnerset.kube;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** Self-signed certificates for 127.0.0.1 with their keys in every form that kubeconfigs carry. */
final class ClientIdentities {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final byte[] P256_OID = {
    (byte) 0xa0, 10, 6, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 3, 1, 7
  };

  private ClientIdentities() {}

  static KeyStore generate(Path folder, String algorithm) throws Exception {
    var store = folder.resolve(algorithm + ".p12");
    if (!Files.exists(store)) {
      var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
      var started =
          new ProcessBuilder(
                  keytool,
                  "-genkeypair",
                  "-alias",
                  "a",
                  "-keyalg",
                  algorithm,
                  "-dname",
                  "CN=me",
                  algorithm.equals("EC") ? "-groupname" : "-keysize",
                  algorithm.equals("EC") ? "secp256r1" : "2048",
                  "-validity",
                  "3650",
                  "-ext",
                  "san=ip:127.0.0.1",
                  "-storetype",
                  "PKCS12",
                  "-storepass",
                  "changeit",
                  "-keystore",
                  store.toString())
              .redirectErrorStream(true)
              .start();
      if (!started.waitFor(60, TimeUnit.SECONDS) || started.exitValue() != 0) {
        throw new IllegalStateException(
            new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    var keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  static String certificate(KeyStore keys) throws Exception {
    return pem("CERTIFICATE", keys.getCertificate("a").getEncoded());
  }

  static String key(KeyStore keys, String form) throws Exception {
    var pkcs8 = key(keys).getEncoded();
    return switch (form) {
      case "PKCS#8" -> pem("PRIVATE KEY", pkcs8);
      case "PKCS#1" -> pem("RSA PRIVATE KEY", inner(pkcs8));
      case "SEC1" -> pem("EC PRIVATE KEY", withCurve(inner(pkcs8)));
      default -> throw new IllegalArgumentException(form);
    };
  }

  static Key key(KeyStore keys) throws Exception {
    return keys.getKey("a", PASSWORD);
  }

  /** The algorithm's own form stands in the last element of a PKCS#8 key, an octet string. */
  private static byte[] inner(byte[] pkcs8) {
    var at = content(pkcs8, 0); // into the sequence
    at = content(pkcs8, at) + length(pkcs8, at); // past the version
    at = content(pkcs8, at) + length(pkcs8, at); // past the algorithm
    return java.util.Arrays.copyOfRange(
        pkcs8, content(pkcs8, at), content(pkcs8, at) + length(pkcs8, at));
  }

  /** As openssl writes it: the curve named after the number. */
  private static byte[] withCurve(byte[] ec) {
    var start = content(ec, 0);
    var afterVersion = content(ec, start) + length(ec, start);
    var afterNumber = content(ec, afterVersion) + length(ec, afterVersion);
    var body = new ByteArrayOutputStream();
    body.write(ec, start, afterNumber - start);
    body.writeBytes(P256_OID);
    var out = new ByteArrayOutputStream();
    out.write(0x30);
    out.write(body.size());
    out.writeBytes(body.toByteArray());
    return out.toByteArray();
  }

  private static int content(byte[] der, int at) {
    return der[at + 1] >= 0 ? at + 2 : at + 2 + (der[at + 1] & 0x7f);
  }

  private static int length(byte[] der, int at) {
    if (der[at + 1] >= 0) {
      return der[at + 1];
    }
    var length = 0;
    for (int i = 0; i < (der[at + 1] & 0x7f); i++) {
      length = (length << 8) | (der[at + 2 + i] & 0xff);
    }
    return length;
  }

  static String pem(String what, byte[] der) {
    return "-----BEGIN "
        + what
        + "-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.UTF_8)).encodeToString(der)
        + "\n-----END "
        + what
        + "-----\n";
  }
}
