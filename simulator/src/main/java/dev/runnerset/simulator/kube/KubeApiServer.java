package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.quota.QuotaController;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.Identities;
import dev.runnerset.simulator.kube.store.ObjectRef;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.write.Deletes;
import dev.runnerset.simulator.kube.write.GarbageCollector;
import dev.runnerset.simulator.kube.write.Incoming;
import dev.runnerset.simulator.kube.write.Writes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A Kubernetes API server in this process, on loopback, without authentication: what our programs,
 * the simulated node and the fabric8 client need of one. Thread-safe.
 *
 * <p>It lacks what nothing here uses: server-side apply and strategic merge patches (415), protobuf
 * bodies (415), pages of lists (the whole list is the answer), tables, the scale subresource,
 * evictions, statuses of disruption budgets, CEL, logs. Webhooks are not called, and so fail.
 */
public final class KubeApiServer implements AutoCloseable {
  private final HttpServer http;
  private final ExecutorService requests;
  private final Thread collector;
  private final Thread quotas;
  private final Cluster cluster;
  private final Writes writes;
  private final RequestCounters counters = new RequestCounters();
  private final Faults faults = new Faults();

  private KubeApiServer(HttpServer http, Cluster cluster) {
    this.http = http;
    this.cluster = cluster;
    this.writes = new Writes(cluster);
    Deletes deletes = new Deletes(cluster);
    this.requests = Executors.newVirtualThreadPerTaskExecutor();
    this.collector =
        Thread.ofVirtual()
            .name("garbage-collector")
            .unstarted(
                new GarbageCollector(
                    cluster, deletes, writes, type -> counters.countCollected(type.qualified())));
    this.quotas =
        Thread.ofVirtual().name("quota-controller").unstarted(new QuotaController(cluster));
    ResourceVerbs verbs = new ResourceVerbs(cluster, writes, deletes, faults::watchLag);
    http.createContext("/", new Router(cluster, verbs, counters, faults));
    http.setExecutor(requests);
  }

  /**
   * Starts a server that holds the namespaces of a fresh cluster.
   *
   * @param port on loopback; 0 for any free one
   * @param clock for the timestamps in objects
   * @throws UncheckedIOException if the port is taken
   */
  public static KubeApiServer start(int port, Clock clock) {
    // else each answer in two writes waits for the client's delayed acknowledgement, 40 ms
    setIfAbsent("sun.net.httpserver.nodelay", "true");
    // clients keep a connection for each of many runners; by default 200 stay open
    setIfAbsent("sun.net.httpserver.maxIdleConnections", "5000");
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      HttpServer http = HttpServer.create(address, 1024);
      KubeApiServer server = new KubeApiServer(http, new Cluster(clock, Identities.random()));
      for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
        server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}");
      }
      server.collector.start();
      server.quotas.start();
      http.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void setIfAbsent(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Where it listens, without a path. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  /** A kubeconfig for this server; it holds no credentials. */
  public String kubeconfig() {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: simulator
      cluster:
        server: %s
    contexts:
    - name: simulator
      context:
        cluster: simulator
        user: simulator
        namespace: default
    current-context: simulator
    users:
    - name: simulator
      user: {}
    """
        .formatted(url());
  }

  /**
   * Stores objects without a request: those that are there are replaced, others created. Nothing is
   * counted.
   *
   * @param yaml documents, separated by {@code ---}; JSON is YAML
   * @throws IllegalArgumentException if it is no YAML, of an unknown kind, or refused
   */
  public void apply(String yaml) {
    for (ObjectNode document : Json.documents(yaml)) {
      try {
        store(document);
      } catch (ApiException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
    }
  }

  private void store(ObjectNode document) {
    String apiVersion = document.path("apiVersion").asText();
    String kind = document.path("kind").asText();
    ResourceType type =
        cluster
            .catalog()
            .ofKind(apiVersion, kind)
            .orElseThrow(
                () -> new IllegalArgumentException("unknown kind " + kind + " in " + apiVersion));
    String name = document.at("/metadata/name").asText();
    String namespace =
        type.namespaced() ? document.at("/metadata/namespace").asText("default") : "";
    ObjectRef ref = new ObjectRef(type, ResourceStore.key(namespace, name));
    if (cluster.store(type).find(ref.key()) == null) {
      var _ = writes.create(type, namespace, document, Writes.Options.NONE);
    } else {
      ObjectNode wanted = Incoming.decode(type, document);
      wanted.withObjectProperty("metadata").remove("resourceVersion");
      var _ = writes.modify(ref, name, Writes.Part.MAIN, _ -> wanted, Writes.Options.NONE);
    }
  }

  public RequestCounters counters() {
    return counters;
  }

  public Faults faults() {
    return faults;
  }

  /** Ends all watches and closes all connections; blocks for a moment only. */
  @Override
  public void close() {
    collector.interrupt();
    quotas.interrupt();
    requests.shutdownNow();
    http.stop(0);
  }
}
