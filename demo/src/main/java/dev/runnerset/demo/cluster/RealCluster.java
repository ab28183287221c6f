package dev.runnerset.demo.cluster;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.crds.Crds;
import dev.runnerset.testcluster.Audit;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kube-apiserver with etcd and controller-manager of our own ({@code --test-cluster}); both
 * programs run as the service accounts of the manifests, and the audit log counts.
 */
public final class RealCluster implements Cluster {
  private final TestCluster server;
  private final Audit audit;
  private final Map<WriteCounts.Request, Long> counts = new HashMap<>();
  private final Path controller;
  private final Path listener;

  public RealCluster(boolean oneNamespace, Path folder) throws IOException {
    server =
        TestCluster.start(
            TestCluster.Options.defaults()
                .withYaml(List.of(Crds.yaml(), Cluster.identities(oneNamespace))));
    audit = server.auditFromNow();
    controller =
        Files.writeString(
            folder.resolve("controller.kubeconfig"),
            server.kubeconfigFor(
                ControllerSettings.CONTROLLER_NAMESPACE,
                ControllerSettings.CONTROLLER_SERVICE_ACCOUNT));
    listener =
        Files.writeString(
            folder.resolve("listener.kubeconfig"),
            server.kubeconfigFor(
                ControllerSettings.LISTENER_NAMESPACE,
                ControllerSettings.LISTENER_SERVICE_ACCOUNT));
  }

  /** The control plane itself. */
  public TestCluster server() {
    return server;
  }

  @Override
  public String description() {
    return "kube-apiserver, etcd and kube-controller-manager as local processes";
  }

  @Override
  public Config admin() {
    return Config.fromKubeconfig(server.adminKubeconfig());
  }

  @Override
  public Path controllerKubeconfig() {
    return controller;
  }

  @Override
  public Path listenerKubeconfig() {
    return listener;
  }

  /** Access as any service account; the account need not be used by a program. */
  public String kubeconfigFor(String namespace, String serviceAccount) {
    return server.kubeconfigFor(namespace, serviceAccount);
  }

  @Override
  public synchronized Optional<WriteCounts> counts() {
    audit.forEachNew(e -> {
      var agent = e.userAgent();
      int end = agent.indexOf('/') < 0 ? agent.length() : agent.indexOf('/');
      var resource = e.apiGroup().isEmpty() ? e.resource() : e.resource() + "." + e.apiGroup();
      counts.merge(
          new WriteCounts.Request(
              agent.substring(0, end), e.verb(), resource, e.subresource(), e.code()),
          1L,
          Long::sum);
    });
    return Optional.of(new WriteCounts(counts));
  }

  @Override
  public Optional<Long> cpuMillis() {
    return Optional.of(server.apiServerCpuTime().toMillis());
  }

  @Override
  public void close() {
    server.close();
  }
}
