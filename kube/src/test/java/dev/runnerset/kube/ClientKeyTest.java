package dev.runnerset.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientKeyTest {
  @TempDir static Path folder;

  @ParameterizedTest
  @CsvSource({"RSA, PKCS#1", "RSA, PKCS#8", "EC, SEC1", "EC, PKCS#8"})
  void theAlgorithmIsReadFromTheKey(String algorithm, String form) throws Exception {
    var pem = ClientIdentities.key(ClientIdentities.generate(folder, algorithm), form);
    assertThat(ClientKey.algorithm(pem.getBytes(StandardCharsets.UTF_8))).contains(algorithm);
  }

  @Test
  void otherKeysHaveNone() throws Exception {
    var key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
    var pem = ClientIdentities.pem("PRIVATE KEY", key.getEncoded());
    assertThat(ClientKey.algorithm(pem.getBytes(StandardCharsets.UTF_8))).isEmpty();
    assertThat(ClientKey.algorithm("no key".getBytes(StandardCharsets.UTF_8))).isEmpty();
  }
}
