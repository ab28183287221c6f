package dev.runnerset.simulator.cluster;

import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.node.SimulatedNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An API server in this process, with clients of it, and nodes if they are started. The cluster
 * closes all that it opened, the last first. For one thread.
 */
public final class SimulatedCluster implements AutoCloseable {
  private final Deque<Runnable> closing = new ArrayDeque<>();
  private final KubeApiServer api;
  private final Config config;
  private final KubernetesClient client;

  private SimulatedCluster(KubeApiServer api) {
    this.api = api;
    closing.push(api::close);
    config = Config.fromKubeconfig(api.kubeconfig());
    client = opened(new KubernetesClientBuilder().withConfig(config).build());
  }

  /**
   * Starts the API server on a free port, with the wall clock.
   *
   * @param manifests YAML of objects that are there from the start
   */
  public static SimulatedCluster start(String... manifests) {
    var cluster = new SimulatedCluster(KubeApiServer.start(0, Clock.systemUTC()));
    for (var yaml : manifests) {
      cluster.api.apply(yaml);
    }
    return cluster;
  }

  public KubeApiServer api() {
    return api;
  }

  /** The client of the test itself. */
  public KubernetesClient client() {
    return client;
  }

  /**
   * Opens a client whose requests are counted apart. It may be closed before the cluster.
   *
   * @param userAgent the writer of {@code RequestCounters}, up to its first slash
   */
  public KubernetesClient openClient(String userAgent) {
    var own = new ConfigBuilder(config).withUserAgent(userAgent).build();
    return opened(new KubernetesClientBuilder().withConfig(own).build());
  }

  public void createNamespace(String name) {
    api.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}");
  }

  /** Starts a node: pods run from now on. */
  public SimulatedNode startNode(NodeOptions options) {
    var node = SimulatedNode.start(config, options);
    closing.push(node::close);
    return node;
  }

  private KubernetesClient opened(KubernetesClient made) {
    closing.push(made::close);
    return made;
  }

  @Override
  public void close() {
    while (!closing.isEmpty()) {
      closing.pop().run();
    }
  }
}
