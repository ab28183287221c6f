package dev.runnerset.e2e.chaos;

import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.cluster.WriteCounts;
import dev.runnerset.simulator.network.TcpProxy;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A cluster that both programs reach through a proxy; the rehearsal itself and the simulated node
 * reach its API server directly.
 */
final class ProxiedCluster implements Cluster {
  private final Cluster behind;
  private final TcpProxy proxy;
  private final Path controller;
  private final Path listener;

  ProxiedCluster(Cluster behind, Path folder) throws IOException {
    this.behind = behind;
    int port = URI.create(behind.admin().getMasterUrl()).getPort();
    proxy = TcpProxy.before(port);
    controller = copy(behind.controllerKubeconfig(), port, folder.resolve("controller.proxied"));
    listener = copy(behind.listenerKubeconfig(), port, folder.resolve("listener.proxied"));
  }

  private Path copy(Path kubeconfig, int port, Path to) throws IOException {
    var text = Files.readString(kubeconfig);
    return Files.writeString(to, text.replace(":" + port, ":" + proxy.port()));
  }

  /** What stands between the programs and the API server. */
  TcpProxy proxy() {
    return proxy;
  }

  /** What stands behind it. */
  Cluster behind() {
    return behind;
  }

  @Override
  public String description() {
    return behind.description();
  }

  @Override
  public Config admin() {
    return behind.admin();
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
    return behind.counts();
  }

  @Override
  public Optional<Long> cpuMillis() {
    return behind.cpuMillis();
  }

  @Override
  public void close() {
    proxy.close();
    behind.close();
  }
}
