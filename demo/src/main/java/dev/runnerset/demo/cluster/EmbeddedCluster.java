package dev.runnerset.demo.cluster;

import dev.runnerset.crds.Crds;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Optional;

/** The in-process API server: the default, and never a claim to be Kubernetes. */
public final class EmbeddedCluster implements Cluster {
  private final KubeApiServer server;
  private final Path kubeconfig;

  public EmbeddedCluster(boolean oneNamespace, Path folder, Clock clock) throws IOException {
    server = KubeApiServer.start(0, clock);
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    server.apply(Crds.yaml());
    server.apply(Cluster.identities(oneNamespace));
  }

  @Override
  public String description() {
    return "in-process API server at " + server.url();
  }

  @Override
  public Config admin() {
    return Config.fromKubeconfig(server.kubeconfig());
  }

  @Override
  public Path controllerKubeconfig() {
    return kubeconfig;
  }

  @Override
  public Path listenerKubeconfig() {
    return kubeconfig;
  }

  @Override
  public Optional<WriteCounts> counts() {
    var counts = new HashMap<WriteCounts.Request, Long>();
    server
        .counters()
        .snapshot()
        .forEach((k, n) ->
            counts.merge(
                new WriteCounts.Request(
                    k.writer(), k.verb(), k.resource(), k.subresource(), k.code()),
                n,
                Long::sum));
    return Optional.of(new WriteCounts(counts));
  }

  @Override
  public Optional<Long> cpuMillis() {
    return Optional.empty();
  }

  @Override
  public void close() {
    server.close();
  }
}
