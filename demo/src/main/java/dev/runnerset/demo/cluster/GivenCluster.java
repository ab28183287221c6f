package dev.runnerset.demo.cluster;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.crds.Crds;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The cluster of {@code --kubeconfig}: CRDs and manifests are applied to it and stay; both programs
 * run as the service accounts of the manifests. Its requests are not ours to count.
 */
public final class GivenCluster implements Cluster {
  private static final long TOKEN_SECONDS = 3600;

  private final Config admin;
  private final Path controller;
  private final Path listener;

  public GivenCluster(Path kubeconfig, boolean oneNamespace, Path folder) throws IOException {
    admin = Config.fromKubeconfig(kubeconfig.toFile());
    try (var client = new KubernetesClientBuilder().withConfig(admin).build()) {
      apply(client, Crds.yaml());
      apply(client, Cluster.identities(oneNamespace));
      controller =
          kubeconfig(
              client,
              folder,
              ControllerSettings.CONTROLLER_NAMESPACE,
              ControllerSettings.CONTROLLER_SERVICE_ACCOUNT);
      listener =
          kubeconfig(
              client,
              folder,
              ControllerSettings.LISTENER_NAMESPACE,
              ControllerSettings.LISTENER_SERVICE_ACCOUNT);
    }
  }

  private static void apply(KubernetesClient client, String yaml) {
    var in = new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8));
    for (HasMetadata object : client.load(in).items()) {
      client.resource(object).createOr(existing -> existing.update());
    }
  }

  private Path kubeconfig(KubernetesClient client, Path folder, String namespace, String account)
      throws IOException {
    var request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(TOKEN_SECONDS)
            .endSpec()
            .build();
    var token =
        client
            .serviceAccounts()
            .inNamespace(namespace)
            .withName(account)
            .tokenRequest(request)
            .getStatus()
            .getToken();
    var authority = admin.getCaCertData() == null ? "" : admin.getCaCertData();
    var file = folder.resolve(account + ".kubeconfig");
    return Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: it
        contexts: [{name: it, context: {cluster: it, user: it, namespace: %s}}]
        clusters: [{name: it, cluster: {server: "%s"%s}}]
        users: [{name: it, user: {token: "%s"}}]
        """
            .formatted(
                namespace,
                admin.getMasterUrl(),
                authority.isEmpty() ? "" : ", certificate-authority-data: \"" + authority + "\"",
                token));
  }

  @Override
  public String description() {
    return "the cluster at " + admin.getMasterUrl();
  }

  @Override
  public Config admin() {
    return admin;
  }

  @Override
  public Path controllerKubeconfig() {
    return controller;
  }

  @Override
  public Path listenerKubeconfig() {
    return listener;
  }

  @Override
  public Optional<WriteCounts> counts() {
    return Optional.empty();
  }

  @Override
  public Optional<Long> cpuMillis() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
