package dev.runnerset.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The temporary folder of one cluster, readable by its owner only: keys, data, logs. */
record Workspace(Path folder) {
  /** Only what has been answered, and no health checks, of which there are many. */
  private static final String AUDIT_POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived, ResponseStarted]
      rules:
      - level: None
        nonResourceURLs: ["/healthz*", "/livez*", "/readyz*"]
      - level: Metadata
      """;

  /** Of a user who is in the group {@code system:masters}, as no certificate says here. */
  static final String BOOTSTRAP_TOKEN = "bootstrap";

  static Workspace create() throws IOException {
    return new Workspace(Files.createTempDirectory("test-cluster-"));
  }

  /** Writes the certificates, keys, kubeconfigs and the policy that the programs start with. */
  void fill(CertificateAuthority authority, Kubeconfig kubeconfig) throws IOException {
    write("ca", authority.asCredential());
    write(
        "server",
        authority.loopbackServer(
            List.of(
                "localhost",
                "kubernetes",
                "kubernetes.default",
                "kubernetes.default.svc",
                "kubernetes.default.svc.cluster.local")));
    write("tokens", authority.client("tokens", KeyForm.PKCS8_RSA));
    Files.writeString(file("users.csv"), BOOTSTRAP_TOKEN + ",bootstrap,bootstrap,system:masters\n");
    Files.writeString(file("audit-policy.yaml"), AUDIT_POLICY);
    for (var entry :
        Map.of(
                "admin",
                "admin",
                "controllers",
                "system:kube-controller-manager",
                "scheduler",
                "system:kube-scheduler")
            .entrySet()) {
      String user = entry.getValue();
      Files.writeString(
          file(entry.getKey() + ".kubeconfig"),
          kubeconfig.withCertificate(user, authority.client(user, KeyForm.PKCS8_RSA)));
    }
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  Path adminKubeconfig() {
    return file("admin.kubeconfig");
  }

  Path auditLog() {
    return file("audit.log");
  }

  /** Deletes all of it; nothing may be writing any more. */
  void delete() {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, Credential credential) throws IOException {
    Files.writeString(file(name + ".crt"), credential.certificate());
    Files.writeString(file(name + ".key"), credential.key());
  }
}
