package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.ServiceSettings;
import dev.runnerset.actions.http.SharedConnections;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.events.KubeEvents;
import dev.runnerset.controller.features.evidence.BlackBox;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.controller.testing.JumpingClock;
import dev.runnerset.controller.testing.JumpingRequeues;
import dev.runnerset.controller.testing.Operators;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpecBuilder;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.StoredTemplate;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.node.SimulatedNode;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Options;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** API server, service, node and the reconciler of runners, all in this process. */
final class RunnerWorld {
  static final String NAMESPACE = "default";
  static final String WRITER = "controller-under-test";

  private final List<AutoCloseable> open = new ArrayList<>();
  final ActionsServiceServer service;
  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  final KubeApiServer api = cluster.api();
  final KubernetesClient kube = cluster.client();
  final ActionsService actions;
  final RunnerExits exits = new RunnerExits(new Memories(), runner -> {});
  final NewRunners newRunners = new NewRunners();
  final AtomicInteger wakeUps = new AtomicInteger();
  final AtomicBoolean credentials = new AtomicBoolean(true);

  /** Whether each pass fails in our own code. */
  final AtomicBoolean passesFail = new AtomicBoolean();

  final EphemeralRunnerSet set;
  final int scaleSet;
  private @Nullable Operator operator;
  private @Nullable Followed repeats;

  /** That of the reconciler. */
  final JumpingClock clock = new JumpingClock();

  RunnerWorld() {
    service = ActionsServiceServer.start(Options.accepting("token"), Clock.systemUTC());
    open.add(service);
    open.add(cluster);
    actions = connect();
    open.add(actions);
    scaleSet = createScaleSet("linux");
    set = kube.resource(newSet()).create();
  }

  private Optional<EphemeralRunnerSet> theSet() {
    if (passesFail.get()) {
      throw new IllegalStateException("token");
    }
    return Optional.of(set);
  }

  private ActionsService connect() {
    return new SharedConnections()
        .connect(
            ServiceSettings.of(
                    ConfigUrl.parse(url()),
                    new Credentials.Token("token"),
                    UserAgent.of("test", "controller"),
                    Clock.systemUTC())
                .withAllowedHosts(AllowedHosts.of("127.0.0.1", "localhost")));
  }

  String url() {
    return service.configUrl("my-org").toString();
  }

  int createScaleSet(String name) {
    var wanted = new NewScaleSet(name, RunnerGroupId.DEFAULT, List.of(name));
    var made = (CreateScaleSetResult.Created) actions.createScaleSet(wanted);
    return made.scaleSet().id().value();
  }

  void startNode(Duration delay) {
    var _ = startNode(delay, Duration.ZERO);
  }

  /** A node whose clock is so far ahead of all others. */
  SimulatedNode startNode(Duration delay, Duration clockOffset) {
    var options = NodeOptions.defaults().withDelays(delay, delay).withClockOffset(clockOffset);
    return cluster.startNode(options);
  }

  void startOperator() {
    var own = cluster.openClient(WRITER + "/1");
    var api = new KubeApi(own);
    var remover =
        new ServiceRunnerRemover(
            key -> connection(), api, (r, reason, answer) -> {}, new Memories(), clock);
    var verdicts = new RunnerVerdicts(new Memories(), runner -> {});
    var objects = new RunnerObjects.OverKubeApi(api);
    var pass =
        new RunnerPass(
            new RunnerPassEnvironment(
                objects,
                new BlackBox(objects, runner -> List.of(), clock),
                new ServiceCalls(new Memories(), Runnable::run, woken -> {}),
                new KubeEvents(
                    api,
                    clock,
                    () -> UUID.randomUUID().toString().substring(0, 8),
                    (about, write) -> write.getAsBoolean()),
                Meter.series(),
                clock,
                LossBook.NONE),
            key -> connection(),
            remover,
            new SharedWithSets(
                exits,
                newRunners,
                (namespace, name) -> theSet(),
                set -> wakeUps.incrementAndGet(),
                verdicts,
                new OpenGate(),
                new Memories()));
    var reconciler =
        new EphemeralRunnerReconciler(
            pass, api, (about, reason, message) -> {}, new RunnerCache(), clock, key -> false);
    var requeues = new JumpingRequeues(clock);
    repeats = clock.repeating(requeues);
    repeats.begin();
    operator = Operators.start(own, requeues, o -> o.register(reconciler));
  }

  void stopOperator() {
    if (repeats != null) {
      repeats.close();
      repeats = null;
    }
    if (operator != null) {
      operator.stop();
      operator = null;
    }
  }

  private ActionsService connection() {
    if (!credentials.get()) {
      throw new InvalidConnectionException(AccessReason.SECRET_NOT_FOUND, "there is no secret");
    }
    return actions;
  }

  static PodTemplateSpec template() {
    return new PodTemplateSpecBuilder()
        .withNewSpec()
        .withContainers(new ContainerBuilder().withName("runner").withImage("runner:1").build())
        .endSpec()
        .build();
  }

  private EphemeralRunnerSet newSet() {
    var ers = new EphemeralRunnerSet();
    ers.setMetadata(new ObjectMetaBuilder().withName("linux").withNamespace(NAMESPACE).build());
    ers.setSpec(
        EphemeralRunnerSetSpecBuilder.builder()
            .replicas(1)
            .revision("r1")
            .githubConfigUrl(url())
            .githubConfigSecret(new NameReference("github"))
            .runnerScaleSetId(scaleSet)
            .template(StoredTemplate.of(template()))
            .build());
    return ers;
  }

  /** As the reconciler of the set makes it in the process under test. */
  EphemeralRunner create(String name) {
    var runner = newRunner(name);
    newRunners.making(runner);
    return kube.resource(runner).create();
  }

  /** Made by an earlier process. */
  EphemeralRunner createdBefore(String name) {
    return kube.resource(newRunner(name)).create();
  }

  private EphemeralRunner newRunner(String name) {
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace(NAMESPACE)
            .withLabels(Map.of(Labels.SET, "linux", Labels.PART_OF, Labels.PART_OF_VALUE))
            .withFinalizers(Labels.RUNNER_FINALIZER)
            .withOwnerReferences(
                new OwnerReferenceBuilder()
                    .withApiVersion(set.getApiVersion())
                    .withKind(set.getKind())
                    .withName("linux")
                    .withUid(set.getMetadata().getUid())
                    .withController(true)
                    .build())
            .build());
    runner.setSpec(
        EphemeralRunnerSpec.builder(url(), new NameReference("github"), scaleSet)
            .revision("r1")
            .setGeneration(set.getMetadata().getGeneration())
            .build());
    return runner;
  }

  /** A user makes it, with a template of its own and without a finalizer. */
  EphemeralRunner standalone(String name) {
    var runner = new EphemeralRunner();
    runner.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace(NAMESPACE).build());
    runner.setSpec(
        EphemeralRunnerSpec.builder(url(), new NameReference("github"), scaleSet)
            .template(StoredTemplate.of(template()))
            .build());
    return kube.resource(runner).create();
  }

  @Nullable EphemeralRunner runner(String name) {
    return kube.resources(EphemeralRunner.class).inNamespace(NAMESPACE).withName(name).get();
  }

  /** What the reconciler asked of the API server, but for lists and watches. */
  Map<String, Long> requests() {
    var counts = new TreeMap<String, Long>();
    api.counters()
        .snapshot()
        .forEach((key, n) -> {
          if (key.writer().equals(WRITER)
              && !key.verb().equals("watch")
              && !key.verb().equals("list")
              && !key.resource().startsWith("/")
              && !key.resource().startsWith("customresourcedefinitions")) {
            var sub = key.subresource().isEmpty() ? "" : "/" + key.subresource();
            counts.merge(key.verb() + " " + key.resource() + sub, n, Long::sum);
          }
        });
    return counts;
  }

  void stop() throws Exception {
    stopOperator();
    for (var closeable : open.reversed()) {
      closeable.close();
    }
  }
}
