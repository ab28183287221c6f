package dev.runnerset.testcluster;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Kubeconfig texts with everything inside: one cluster, one user, one context. */
final class Kubeconfig {
  private final String server;
  private final String authority;

  Kubeconfig(String server, String authority) {
    this.server = server;
    this.authority = authority;
  }

  String withCertificate(String user, Credential credential) {
    return text(
        user,
        "default",
        """
            client-certificate-data: %s
            client-key-data: %s
        """
            .formatted(base64(credential.certificate()), base64(credential.key())));
  }

  String withToken(String user, String namespace, String token) {
    return text(user, namespace, "    token: %s\n".formatted(token));
  }

  private String text(String user, String namespace, String userLines) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: test-cluster
      cluster:
        server: %s
        certificate-authority-data: %s
    contexts:
    - name: test-cluster
      context:
        cluster: test-cluster
        user: %s
        namespace: %s
    current-context: test-cluster
    users:
    - name: %s
      user:
    %s\
    """
        .formatted(server, base64(authority), user, namespace, user, userLines);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
