package dev.runnerset.simulator.service;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Keys and certificates in PEM files; what cannot be used is an IllegalArgumentException. */
final class Pem {
  private Pem() {}

  /** What a server needs: its certificate, with the others of its chain behind it, and its key. */
  static SSLContext serverContext(Path certificates, Path key) {
    try {
      var chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(read(certificates).getBytes(StandardCharsets.US_ASCII)))
              .toArray(Certificate[]::new);
      if (chain.length == 0) {
        throw new IllegalArgumentException(certificates + " has no certificate in PEM");
      }
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", privateKey(key), new char[0], chain);
      var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(certificates + " and " + key + ": " + e.getMessage(), e);
    }
  }

  private static PrivateKey privateKey(Path file) throws GeneralSecurityException {
    var spec = new PKCS8EncodedKeySpec(block(file, "PRIVATE KEY", "openssl pkcs8 -topk8 -nodes"));
    for (var algorithm : List.of("RSA", "EC")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException another) {
        // the next algorithm
      }
    }
    throw new IllegalArgumentException(file + " is neither an RSA nor an EC key");
  }

  /** An RSA key. */
  static PublicKey publicKey(Path file) {
    try {
      var bytes = block(file, "PUBLIC KEY", "openssl rsa -pubout");
      return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(file + " is no RSA key: " + e.getMessage(), e);
    }
  }

  private static byte[] block(Path file, String type, String makes) {
    var text = read(file);
    var begin = "-----BEGIN " + type + "-----";
    var start = text.indexOf(begin);
    var end = text.indexOf("-----END " + type + "-----");
    if (start < 0 || end < start) {
      throw new IllegalArgumentException(
          "%s has no line '%s'; '%s' makes one".formatted(file, begin, makes));
    }
    return Base64.getMimeDecoder().decode(text.substring(start + begin.length(), end));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file, e);
    }
  }
}
