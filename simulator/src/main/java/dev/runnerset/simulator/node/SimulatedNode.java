package dev.runnerset.simulator.node;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A node, or several, that exist only on paper: pods are bound to them unless they are cordoned or
 * tainted, or a scheduler binds them, the containers are started and ended in the status of their
 * pods, and the runner that each of these stands for runs in this process. Thread-safe.
 */
public final class SimulatedNode implements AutoCloseable {
  private static final int MAX_TIMINGS = 100_000;

  /** For how long an API server that is gone is asked again about a pod. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final NodeOptions options;
  private final KubernetesClient client;
  private final KubeCalls patient;
  private final Places places;
  private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer;
  private final HttpClient http;
  private final Map<String, PodRun> runsByUid = new ConcurrentHashMap<>();
  private final Map<String, PodTimings> timings = // guarded by itself
      new LinkedHashMap<>();
  private final SharedIndexInformer<Node> nodes;
  private final SharedIndexInformer<Pod> pods;
  private volatile Function<String, Optional<PodFault>> faults = pod -> Optional.empty();

  private SimulatedNode(Config config, NodeOptions options) throws IOException {
    this.options = options;
    client =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(config).withUserAgent("runnerset-node").build())
            .build();
    var kube = new KubeCalls(client);
    patient = kube.patient(PATIENCE);
    places = new Places(options.names(), options.maxPods);
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(virtual).build();
    timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("node-heartbeat").factory());
    var objects =
        options.names().stream().map(name -> new NodeObject(kube, options, name)).toList();
    try {
      for (var object : objects) {
        object.register();
      }
      nodes = watchNodes();
      pods = watch();
    } catch (IOException | RuntimeException e) {
      stop();
      throw e;
    }
    long period = NodeOptions.HEARTBEAT.toMillis();
    var beating =
        timer.scheduleAtFixedRate(
            () -> objects.forEach(NodeObject::heartbeat), period, period, TimeUnit.MILLISECONDS);
    if (beating.isDone()) {
      throw new IllegalStateException("no heartbeat");
    }
  }

  /**
   * Registers the nodes and begins to play pods. Blocks until the present pods are known.
   *
   * @throws UncheckedIOException if the API server does not answer or refuses
   */
  public static SimulatedNode start(Config config, NodeOptions options) {
    try {
      return new SimulatedNode(config, options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Follows cordons and taints. */
  private SharedIndexInformer<Node> watchNodes() {
    var names = String.join(",", options.names());
    var informer =
        client
            .nodes()
            .withLabelSelector("kubernetes.io/hostname in (" + names + ")")
            .runnableInformer(0);
    informer.addEventHandler(
        new ResourceEventHandler<Node>() {
          @Override
          public void onAdd(Node node) {
            places.cordon(node.getMetadata().getName(), isClosed(node));
          }

          @Override
          public void onUpdate(Node before, Node node) {
            onAdd(node);
          }

          @Override
          public void onDelete(Node node, boolean unknown) {
            places.cordon(node.getMetadata().getName(), true);
          }
        });
    informer.exceptionHandler((started, failure) -> true); // always try again
    informer.run();
    return informer;
  }

  /** No pod here tolerates a taint. */
  private static boolean isClosed(Node node) {
    return node.getSpec() != null
        && (Boolean.TRUE.equals(node.getSpec().getUnschedulable())
            || node.getSpec().getTaints().stream()
                .anyMatch(taint -> !"PreferNoSchedule".equals(taint.getEffect())));
  }

  private SharedIndexInformer<Pod> watch() {
    var all = client.pods();
    var chosen =
        options.namespace.isPresent()
            ? all.inNamespace(options.namespace.get())
            : all.inAnyNamespace();
    var informer = chosen.withLabelSelector(NodeOptions.LABEL_SELECTOR).runnableInformer(0);
    informer.addEventHandler(new Watcher());
    informer.exceptionHandler((started, failure) -> true); // always try again
    informer.run();
    return informer;
  }

  /** Turns pod events into starts and ends; never blocks the informer's thread. */
  private final class Watcher implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      look(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      look(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      var uid = pod.getMetadata().getUid();
      record(PodIdentity.of(pod), t -> t.gone(NodeOptions.CLOCK.instant()));
      var run = runsByUid.remove(uid);
      if (run != null) {
        run.end(PodRun.End.VANISHED);
      }
    }
  }

  private void look(Pod pod) {
    var id = PodIdentity.of(pod);
    var run = runsByUid.get(id.uid());
    var deleted = pod.getMetadata().getDeletionTimestamp() != null;
    if (run == null && !deleted && isOurs(pod)) {
      var fresh = new PodRun(pod, this);
      runsByUid.put(id.uid(), fresh);
      record(id, UnaryOperator.identity());
      virtual.execute(fresh::run);
    } else if (run == null && deleted && options.names().contains(pod.getSpec().getNodeName())) {
      // Bound here by a node of this name that is gone: nobody else ends it.
      var fresh = new PodRun(pod, this);
      runsByUid.put(id.uid(), fresh);
      fresh.end(PodRun.End.TERMINATED);
      virtual.execute(fresh::run);
    } else if (run != null && deleted) {
      boolean killed = options.forcedKills && isForced(pod);
      run.end(killed ? PodRun.End.VANISHED : PodRun.End.TERMINATED);
    }
  }

  /** The API server forgets such a pod at once, whether or not its containers have ended. */
  private static boolean isForced(Pod pod) {
    return Objects.equals(pod.getMetadata().getDeletionGracePeriodSeconds(), 0L);
  }

  private boolean isOurs(Pod pod) {
    var node = pod.getSpec().getNodeName();
    var phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    var pending = phase == null || phase.equals("Pending");
    return pending && (node == null ? options.bindsPods : options.names().contains(node));
  }

  NodeOptions options() {
    return options;
  }

  /** Requests that are repeated while the API server is gone. */
  KubeCalls kube() {
    return patient;
  }

  Places places() {
    return places;
  }

  /** What is wrong with the pod now. */
  Optional<PodFault> faultOf(PodIdentity pod) {
    return faults.apply(pod.name());
  }

  /** The runner in that pod, of the version that the tag of its image names. */
  SimulatedRunner runner(String jitConfig, Pod pod, String image) {
    var config = JitConfig.decode(jitConfig);
    var protocol =
        new RunnerProtocol(http, config, RunnerProtocol.version(image), NodeOptions.CLOCK);
    return new SimulatedRunner(
        protocol,
        ContainerHooks.of(pod, new KubeCalls(client)),
        pod.getMetadata().getName(),
        NodeOptions.CLOCK);
  }

  void record(PodIdentity pod, UnaryOperator<PodTimings> change) {
    synchronized (timings) {
      var known = timings.get(pod.uid());
      var before = known == null ? PodTimings.created(pod, NodeOptions.CLOCK.instant()) : known;
      timings.put(pod.uid(), change.apply(before));
      if (timings.size() > MAX_TIMINGS) {
        timings.remove(timings.keySet().iterator().next());
      }
    }
  }

  /** What happened to each pod, in the order they were seen. */
  public List<PodTimings> timings() {
    synchronized (timings) {
      return List.copyOf(timings.values());
    }
  }

  /**
   * The faults of pods to come, by pod name. Asked from several threads: when a pod is scheduled,
   * when its images are there, and each second while it cannot start or connect.
   */
  public void faults(Function<String, Optional<PodFault>> value) {
    faults = value;
  }

  /**
   * Lets the runner of a pod end its job now as it would have ended later; false if no runner has
   * begun there.
   */
  public boolean finishJob(String namespace, String name) {
    return run(namespace, name).filter(PodRun::finishWork).isPresent();
  }

  private Optional<PodRun> run(String namespace, String name) {
    return timings().stream()
        .filter(timing -> timing.namespace().equals(namespace) && timing.name().equals(name))
        .flatMap(timing -> Optional.ofNullable(runsByUid.get(timing.uid())).stream())
        .findFirst();
  }

  private void stop() {
    timer.shutdownNow();
    virtual.shutdownNow();
    http.shutdownNow();
    client.close();
  }

  /** Stops as a process that is killed does: runners die without a word; the objects stay. */
  @Override
  public void close() {
    pods.stop();
    nodes.stop();
    runsByUid.values().forEach(run -> run.end(PodRun.End.VANISHED));
    stop();
  }
}
