package dev.runnerset.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** k3s and others give kubeconfigs with elliptic-curve client keys. */
class NodeKubeconfigTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"EC, data", "EC, file", "RSA, data", "RSA, file"})
  void theClientIsReportedTheAlgorithmOfItsKey(String algorithm, String where) throws Exception {
    var key =
        pem(
            "PRIVATE KEY",
            KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate().getEncoded());
    Files.writeString(folder.resolve("k.pem"), key);
    var file =
        kubeconfig(
            where.equals("data")
                ? "client-key-data: "
                    + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8))
                : "client-key: k.pem");
    assertThat("EC".equals(NodeKubeconfig.read(file).getClientKeyAlgo()))
        .isEqualTo(algorithm.equals("EC"));
  }

  @Test
  void aKubeconfigWithoutAClientKeyIsReadAsItIs() throws Exception {
    var config = NodeKubeconfig.read(kubeconfig("token: t"));
    assertThat(config.getMasterUrl()).startsWith("https://127.0.0.1:1");
    assertThat(NodeKubeconfig.isEllipticCurve(pem("EC PRIVATE KEY", new byte[] {1}))).isTrue();
    assertThat(NodeKubeconfig.isEllipticCurve(pem("RSA PRIVATE KEY", new byte[] {1}))).isFalse();
    assertThat(NodeKubeconfig.isEllipticCurve(pem("PRIVATE KEY", new byte[] {1}))).isFalse();
  }

  @Test
  void aKubeconfigThatIsNotThereIsOneSentence() {
    assertThatThrownBy(() -> NodeKubeconfig.read(folder.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be read");
  }

  private Path kubeconfig(String user) throws Exception {
    return Files.writeString(
        folder.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: c, context: {cluster: c, user: u}}]
        clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
        users: [{name: u, user: {%s}}]
        """
            .formatted(user));
  }

  private static String pem(String what, byte[] der) {
    return "-----BEGIN "
        + what
        + "-----\n"
        + Base64.getMimeEncoder().encodeToString(der)
        + "\n-----END "
        + what
        + "-----\n";
  }
}
