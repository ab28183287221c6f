package dev.runnerset.controller.main;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.ServiceSettings;
import dev.runnerset.actions.http.SharedConnections;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.ChangedSettings;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.config.LeaseTimes;
import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.controller.testing.JumpingClock;
import dev.runnerset.controller.testing.JumpingRequeues;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.ProtocolLevel;
import dev.runnerset.crds.ServiceConnection;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.node.SimulatedNode;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Control;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.Options;
import dev.runnerset.testsupport.Exposition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** API server, service and the whole controller, all in this process; the listener is the test. */
final class ControllerWorld implements AutoCloseable {
  static final String TOKEN = "marker-ghp-4711";
  static final String NAMESPACE = "default";
  static final AllowedHosts ALLOWED = AllowedHosts.of("127.0.0.1", "localhost");
  static final String WRITER = "controller-under-test";

  /** A pass that hangs is not waited for any longer. */
  private static final Duration LONGEST_PASS = Duration.ofMillis(500);

  private static final Duration POLL = Duration.ofMillis(5);

  static {
    Awaitility.setDefaultTimeout(
        JumpingClock.PATIENCE); // a loaded machine starts a controller in many seconds
  }

  /** The controller's clock, the service's, and that of all that the test writes. */
  final JumpingClock clock;

  final ActionsServiceServer service;
  final Control control;
  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  final KubeApiServer api = cluster.api();
  final KubernetesClient kube = cluster.client();
  final List<String> stopped = new CopyOnWriteArrayList<>();

  /** Whether the controller's clock for schedules fails. */
  volatile boolean schedulesFail;

  /** Held by whoever lets no pass of a set with a schedule end. */
  final Lock passes = new ReentrantLock();

  /** How much longer each call takes that changes something at the service. */
  volatile Duration latency = Duration.ZERO;

  /** Whether no runner gets a name. */
  volatile boolean namesFail;

  private @Nullable KubernetesClient own;
  private @Nullable ControllerProgram program;
  private @Nullable Followed repeats;
  private @Nullable JumpingRequeues requeues;
  private int starts = 7;
  private @Nullable SimulatedNode node;
  private final List<ActionsServiceServer> others = new CopyOnWriteArrayList<>();
  private final List<ActionsService> clients = new CopyOnWriteArrayList<>();

  ControllerWorld() {
    this(new JumpingClock());
  }

  private ControllerWorld(JumpingClock clock) {
    this(
        clock,
        ActionsServiceServer.start(
            Options.accepting(TOKEN).withGroups(Set.of("gpu")).withOwners(Set.of("my-org")),
            clock));
  }

  private ControllerWorld(JumpingClock clock, ActionsServiceServer service) {
    this.clock = clock;
    this.service = service;
    control = service.control();
    cluster.createNamespace("runnerset-system");
    cluster.createNamespace("runnerset-listener");
  }

  /** Another cluster, with the clock and the service of this one; the test closes both together. */
  ControllerWorld anotherCluster() {
    return new ControllerWorld(clock, service);
  }

  /** A world in which the controller runs, with the credentials that sets name. */
  static ControllerWorld started() {
    var world = new ControllerWorld();
    world.start();
    return world;
  }

  /** The credentials that sets name, and the controller. */
  void start() {
    secret("github", "github_token: " + TOKEN);
    startController();
  }

  void startController() {
    startController(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT);
  }

  void startController(FeatureGates gates, AgeCollectionSettings ages) {
    start(settings -> ChangedSettings.withAgeCollection(settings, gates, ages));
  }

  void startController(EmbeddedStatus embedded) {
    start(settings -> ChangedSettings.withEmbeddedStatus(settings, embedded));
  }

  void startController(LeavingTaints taints) {
    start(settings -> ChangedSettings.withLeavingTaints(settings, taints));
  }

  /** The same; it looks for left-overs that often. */
  void startController(Duration sweepPeriod) {
    start(settings -> ChangedSettings.withSweepPeriod(settings, sweepPeriod));
  }

  private void start(UnaryOperator<ControllerSettings> change) {
    own = cluster.openClient(WRITER);
    requeues = new JumpingRequeues(clock);
    repeats = clock.repeating(requeues);
    repeats.begin();
    program =
        ControllerProgram.start(
            change.apply(
                ChangedSettings.withLease(
                    ControllerSettings.of("test-" + System.nanoTime()),
                    // so long that no jump of the clock and no pause of the machine ends it;
                    // stopping gives it back
                    new LeaseTimes(
                        Duration.ofHours(2), Duration.ofMinutes(1), Duration.ofSeconds(1)))),
            own,
            maySend ->
                ControllerProgram.connector(
                    "test",
                    ALLOWED,
                    ControllerSettings.CONCURRENCY,
                    () -> isTakingItsTime() && maySend.getAsBoolean(),
                    clock),
            new Clocks(
                clock,
                ((InstantSource) this::ofSchedules).withZone(ZoneOffset.UTC),
                clock::nanoTime,
                clock::timer,
                requeues),
            new Drawn(starts++), // a controller that is started again draws other names
            stopped::add);
  }

  private boolean isTakingItsTime() {
    LockSupport.parkNanos(latency.toNanos());
    return true;
  }

  private Instant ofSchedules() {
    passes.lock();
    try {
      if (schedulesFail) {
        throw new IllegalStateException("no time " + TOKEN);
      }
      return now();
    } finally {
      passes.unlock();
    }
  }

  /** What names are drawn from. */
  private final class Drawn extends Random {
    private static final long serialVersionUID = 1;

    Drawn(long seed) {
      super(seed);
    }

    @Override
    protected int next(int bits) {
      if (namesFail && isInAPass()) {
        throw new IllegalStateException("no name " + TOKEN);
      }
      return super.next(bits);
    }

    /** Else events have no names, either. */
    private boolean isInAPass() {
      return StackWalker.getInstance()
          .walk(
              frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("RunnerTemplate")));
    }
  }

  /** The controller's clock jumps. What was written before is seen before, also by paced passes. */
  void pass(Duration time) {
    var passes = requeues;
    var patience = System.nanoTime() + LONGEST_PASS.toNanos();
    while (passes != null
        && passes.isAwaited("ephemeralrunnerset")
        && System.nanoTime() < patience) {
      LockSupport.parkNanos(POLL.toNanos());
    }
    clock.pass(time);
  }

  /** So much time passes in steps, and after each one all timers have run. */
  void passInRounds(Duration time) {
    clock.passInRounds(time, () -> {});
  }

  /** What comes within that limit by the controller's clock. */
  ConditionFactory within(Duration limit, String what) {
    return clock.within(limit, what);
  }

  ConditionFactory within(Duration limit) {
    return within(limit, "what comes with time");
  }

  /** The same within the bar for what a controller says and mends. */
  ConditionFactory soon(String what) {
    return within(JumpingClock.PATIENCE, what);
  }

  /** What time it is for the controller. */
  Instant now() {
    return clock.instant();
  }

  /** Pods run from now on, and their runners talk to the service. */
  void startNode() {
    startNode(Duration.ZERO);
  }

  /** The same; a runner connects so long after its container has started. */
  void startNode(Duration onlineDelay) {
    var moment = Duration.ofMillis(100);
    var options = NodeOptions.defaults().withDelays(moment, moment).withOnlineDelay(onlineDelay);
    node = cluster.startNode(options);
  }

  /** Several nodes, {@code simulated-node-1} and so on. */
  void startNodes(int count) {
    var moment = Duration.ofMillis(100);
    node = cluster.startNode(NodeOptions.defaults().withNodes(count).withDelays(moment, moment));
  }

  /** Says whether a node takes pods, as {@code kubectl cordon} and {@code uncordon} do. */
  void cordon(String name, boolean is) {
    var patch = "{\"spec\": {\"unschedulable\": " + is + "}}";
    kube.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** Gives a node that taint and no other; an empty key takes all of them away. */
  void taint(String name, String key) {
    var taint = "{\"key\": \"%s\", \"effect\": \"%s\"}";
    var effect = key.startsWith("DeletionCandidate") ? "PreferNoSchedule" : "NoSchedule";
    var patch = "{\"spec\": {\"taints\": [%s]}}";
    kube.nodes()
        .withName(name)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            patch.formatted(key.isEmpty() ? "" : taint.formatted(key, effect)));
  }

  /** What goes wrong with pods to come, by their names. */
  void podFaults(Function<String, Optional<PodFault>> faults) {
    requireNonNull(node).faults(faults);
  }

  String metrics() {
    return Exposition.of(requireNonNull(program)::metrics).text();
  }

  /** What bounds how often that reconciler of the controller makes a pass over one object. */
  RateLimiter<?> rateLimiter(String reconciler) {
    return Objects.requireNonNull(requeues).rateLimiter(reconciler);
  }

  /** From now on that is called with the name of the reconciler before each pass. */
  void beforeEachPass(Consumer<String> hook) {
    Objects.requireNonNull(requeues).beforeEach(hook);
  }

  void stopController() {
    if (repeats != null) {
      repeats.close();
      repeats = null;
    }
    if (program != null) {
      program.close();
      program = null;
    }
    if (own != null) {
      own.close();
      own = null;
    }
  }

  String url() {
    return service.configUrl("my-org").toString();
  }

  /** A second service beside the first, which takes the same token. */
  ActionsServiceServer anotherService() {
    var made =
        ActionsServiceServer.start(Options.accepting(TOKEN).withOwners(Set.of("my-org")), clock);
    others.add(made);
    return made;
  }

  void secret(String name, String content) {
    secretIn(NAMESPACE, name, content);
  }

  void secretIn(String namespace, String name, String content) {
    api.apply(
        "{apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: %s}, stringData: {%s}}"
            .formatted(name, namespace, content));
  }

  void createNamespace(String name) {
    cluster.createNamespace(name);
  }

  /** A set of the defaults with more lines in its spec. */
  void create(String name, String... more) {
    createAt(url(), name, more);
  }

  /** The same at another service. */
  void createAt(String url, String name, String... more) {
    var lines = String.join("\n  ", more);
    if (!lines.contains("githubConfigSecret")) {
      lines += "\n  githubConfigSecret: {name: github}";
    }
    if (!lines.contains("maxRunners")) {
      lines += "\n  maxRunners: 5";
    }
    kube.load(
            new java.io.ByteArrayInputStream(
                """
                apiVersion: runnerset.dev/v1alpha1
                kind: AutoScalingRunnerSet
                metadata: {name: %s, namespace: default}
                spec:
                  githubConfigUrl: %s
                  %s
                  template: {spec: {containers: [{name: runner, image: runner:1}]}}
                """
                    .formatted(name, url, lines)
                    .getBytes(StandardCharsets.UTF_8)))
        .create();
  }

  /** Merges into the spec of a set. */
  void spec(String name, String yaml) {
    var spec = Serialization.unmarshal(yaml, JsonNode.class);
    var body = JsonNodeFactory.instance.objectNode().set("spec", spec);
    var at = Resource.of(AutoScalingRunnerSet.class, NAMESPACE, name);
    var _ = new KubeApi(kube).merge(AutoScalingRunnerSet.class, at, body);
  }

  void setYaml(String yaml) {
    kube.load(new java.io.ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
  }

  AutoScalingRunnerSet set(String name) {
    return kube.resources(AutoScalingRunnerSet.class)
        .inNamespace(NAMESPACE)
        .withName(name)
        .require();
  }

  boolean hasSet(String name) {
    return sets(NAMESPACE).stream().anyMatch(set -> set.getMetadata().getName().equals(name));
  }

  List<AutoScalingRunnerSet> sets(String namespace) {
    return kube.resources(AutoScalingRunnerSet.class).inNamespace(namespace).list().getItems();
  }

  /** The EphemeralRunnerSet with the demand that its listener object has. */
  EphemeralRunnerSet runnerSet(String name) {
    var set =
        kube.resources(EphemeralRunnerSet.class).inNamespace(NAMESPACE).withName(name).require();
    var demand = listener(name).map(l -> l.statusOrNone().demand());
    return set.withDemand(demand.orElse(null));
  }

  boolean hasRunnerSet(String name) {
    var all = kube.resources(EphemeralRunnerSet.class).inNamespace(NAMESPACE).list().getItems();
    return all.stream().anyMatch(set -> set.getMetadata().getName().equals(name));
  }

  /** What the service answers from now on to requests of those endpoints; nothing odd without. */
  void faults(HttpFault... faults) {
    control.faults(FaultPlan.NONE.withHttp(faults));
  }

  Optional<AutoScalingListener> listener(String name) {
    return kube
        .resources(AutoScalingListener.class)
        .inNamespace("runnerset-listener")
        .withLabel(Labels.SET, name)
        .list()
        .getItems()
        .stream()
        .findFirst();
  }

  List<EphemeralRunner> runners() {
    return kube.resources(EphemeralRunner.class).inNamespace(NAMESPACE).list().getItems();
  }

  /** The pod is gone without a word, as with its node: nobody cleans up. */
  void killPod(EphemeralRunner runner) {
    kube.pods()
        .inNamespace(NAMESPACE)
        .withName(runner.getMetadata().getName())
        .withGracePeriod(0)
        .delete();
  }

  /** The messages of the events with that reason. */
  List<String> events(String reason) {
    return kube.v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(event -> reason.equals(event.getReason()))
        .map(Event::getMessage)
        .toList();
  }

  Optional<Condition> condition(String name, String type) {
    return sets(NAMESPACE).stream()
        .filter(set -> set.getMetadata().getName().equals(name))
        .flatMap(set -> set.statusOrNone().conditions().stream())
        .filter(c -> type.equals(c.getType()))
        .findFirst();
  }

  /** A process holds a lease that lasts so long unless it is renewed. */
  void lease(String holder, Duration lasts) {
    api.apply(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: lease-of-%1$s, namespace: runnerset-listener}
        spec: {holderIdentity: %1$s, leaseDurationSeconds: %2$d, renewTime: "%3$s"}
        """
            .formatted(holder, lasts.toSeconds(), now().truncatedTo(ChronoUnit.MICROS)));
  }

  /** What the listener writes when it has its session. */
  void listenerConnects(String name) {
    lease("l-1", Duration.ofHours(10));
    listenerConnects(name, "l-1");
  }

  /** The same; the process must hold a lease, or is lost soon. */
  void listenerConnects(String name, String holder) {
    if (listener(name)
        .isEmpty()) { // to await it takes a tenth of a second, in which the clock jumps
      await("a listener object of " + name).until(() -> listener(name).isPresent());
    }
    var listener = listener(name).orElseThrow();
    patch(
        listener,
        """
        {"holder": "%s", "epoch": 1, "protocolLevel": 2, "sessionId": "s-1", "connection": "%s",
         "conditions": [{"type": "Connected", "status": "True", "reason": "Connected",
         "message": "", "lastTransitionTime": "2026-11-21T12:00:00Z"}]}
        """
            .formatted(holder, ServiceConnection.of(listener.getSpec()).hash()));
  }

  /** What the listener writes when it has lost its session. */
  void listenerFails(String name) {
    patch(
        listener(name).orElseThrow(),
        """
        {"conditions": [{"type": "Connected", "status": "False", "reason": "Unavailable",
         "message": "", "lastTransitionTime": "%s"}]}
        """
            .formatted(now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1)));
  }

  /** What the listener writes while somebody else holds the session. */
  void listenerConflicts(String name) {
    patch(
        listener(name).orElseThrow(),
        """
        {"holder": "l-1", "epoch": 1,
         "conditions": [{"type": "Connected", "status": "False", "reason": "SessionConflict",
         "message": "another listener holds the session",
         "lastTransitionTime": "2026-11-21T12:00:00Z"}]}
        """);
  }

  /** The listener closes its session; its object may be gone before it reports that. */
  void listenerLeaves(String name) {
    listener(name).ifPresent(l -> patchIfThere(l, "{\"sessionId\": null}"));
  }

  /** The listener leaves once its object is deleted, which happens within that time. */
  void listenerLeavesOnceDeleted(String name, Duration atMost) {
    within(atMost, "the listener object " + name + " is deleted")
        .until(() ->
            listener(name).filter(l -> l.getMetadata().getDeletionTimestamp() == null).isEmpty());
    listenerLeaves(name);
  }

  void demand(String name, int assigned, long messageId) {
    demand(
        name,
        """
        {"epoch": 1, "messageId": %d, "observedAt": "2026-11-21T12:00:00Z",
         "assigned": %d, "running": 0, "registered": 0, "busy": 0, "idle": 0}
        """
            .formatted(messageId, assigned));
  }

  /** No job is assigned, by a demand that reckons with marks up to that version. */
  void demandAfterMarks(String name, long version) {
    demand(
        name,
        """
        {"epoch": 1, "messageId": 1, "observedAt": "%s", "assigned": 0,
         "running": 0, "marksVersion": %d}
        """
            .formatted(now(), version));
  }

  /** What the service counts now, as a listener writes it. */
  void counts(String name, int assigned, int registered, int idle) {
    demand(
        name,
        """
        {"epoch": 1, "messageId": 1, "observedAt": "%s",
         "assigned": %d, "running": 0, "registered": %d, "busy": 0, "idle": %d}
        """
            .formatted(now().truncatedTo(ChronoUnit.SECONDS), assigned, registered, idle));
  }

  /** The same where runners are busy, each with one of the assigned jobs. */
  void busyCounts(String name, int busy, int idle) {
    demand(
        name,
        """
        {"epoch": 1, "messageId": 1, "observedAt": "%s", "assigned": %d,
         "running": %2$d, "registered": %d, "busy": %2$d, "idle": %d}
        """
            .formatted(now(), busy, busy + idle, idle));
  }

  /** What a listener of this level writes as the demand of the set. */
  void demand(String name, String demand) {
    if (listener(name)
        .isEmpty()) { // to await it takes a tenth of a second, in which the clock jumps
      await("a listener object of " + name).until(() -> listener(name).isPresent());
    }
    patch(
        listener(name).orElseThrow(),
        "{\"protocolLevel\": %d, \"demand\": %s}".formatted(ProtocolLevel.OURS, demand));
  }

  void patch(io.fabric8.kubernetes.api.model.HasMetadata object, String status) {
    try {
      var tree = new ObjectMapper().readTree(status);
      var _ = new KubeApi(kube).mergeStatus(object.getClass(), Resource.of(object), tree);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Like patch(), but nothing if the object is gone. */
  void patchIfThere(io.fabric8.kubernetes.api.model.HasMetadata object, String status) {
    try {
      patch(object, status);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  void awaitCondition(String name, String type, String status, String reason) {
    within(JumpingClock.PATIENCE, name + " " + type + "=" + status + " " + reason)
        .untilAsserted(() -> {
          var condition = condition(name, type);
          org.assertj.core.api.Assertions.assertThat(
                  condition.map(c -> c.getStatus() + " " + c.getReason()))
              .as(() -> String.valueOf(condition))
              .contains(status + " " + reason);
        });
  }

  /** Waits until the set has no condition of that type. */
  void awaitNoCondition(String name, String type) {
    within(JumpingClock.PATIENCE, name + " without " + type)
        .until(() -> condition(name, type).isEmpty());
  }

  /** A client of the service with the credentials of the sets; it is closed with the world. */
  ActionsService client(String program) {
    var client =
        new SharedConnections()
            .connect(
                ServiceSettings.of(
                        ConfigUrl.parse(url()),
                        new Credentials.Token(TOKEN),
                        UserAgent.of("test", program),
                        clock)
                    .withAllowedHosts(ALLOWED));
    clients.add(client);
    return client;
  }

  /** Opens the session of a set and takes its jobs, but tells nobody of what is heard. */
  void hearNothing(String set, int capacity) {
    var id = requireNonNull(set(set).getStatus().scaleSetId());
    var opened =
        (OpenSessionResult.Opened) client("listener").openSession(new ScaleSetId(id), "deaf");
    var _ = opened.session().poll(0, capacity);
  }

  @Override
  public void close() {
    clients.forEach(ActionsService::close);
    stopController();
    cluster.close();
    service.close();
    others.forEach(ActionsServiceServer::close);
  }
}
