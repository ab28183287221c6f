package dev.runnerset.controller.features.retention;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.events.KubeEvents;
import dev.runnerset.controller.features.retention.CleanupController.Cached;
import dev.runnerset.controller.features.retention.CleanupController.Ports;
import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.testing.Operators;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.testsupport.Exposition;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The API server and one cleanup controller, alone, in this process. */
final class RetentionWorld implements AutoCloseable {
  static final String WRITER = "cleanup-under-test";
  static final String NAMESPACE = "default";

  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  final KubeApiServer api = cluster.api();
  final KubernetesClient kube = cluster.client();
  final Meters meters = Meter.series();
  final TestClock clock = new TestClock();
  private final AtomicInteger ids = new AtomicInteger();
  private @Nullable KubernetesClient own;
  private @Nullable Operator operator;
  private @Nullable RunnerCache cache;
  private @Nullable Runnable round;

  /** How often the controller paused between deletions. */
  int pauses;

  private boolean pausesFail;

  void startTtl() {
    start(DeletedFor.TTL);
  }

  void startLimits() {
    start(DeletedFor.LIMIT);
  }

  private void start(DeletedFor reason) {
    var client = cluster.openClient(WRITER + "/1");
    own = client;
    var api = new KubeApi(client);
    var runners = new RunnerCache();
    cache = runners;
    operator = Operators.start(client, new Reader(runners));
    var controller =
        new CleanupController(
            reason,
            new Cached(runners, this::sets, key -> set(key.namespace(), key.name()), key -> false),
            new Ports(
                api,
                new KubeEvents(
                    api,
                    clock,
                    () -> "e" + ids.incrementAndGet(),
                    (about, write) -> write.getAsBoolean()),
                meters,
                clock,
                this::pause));
    round = controller::round;
  }

  private void pause() {
    pauses++;
    if (pausesFail) {
      throw new IllegalStateException("a failure of a round");
    }
  }

  /** Fills the cache of runners, and does nothing else. */
  @ControllerConfiguration(generationAwareEventProcessing = false)
  private record Reader(RunnerCache runners) implements Reconciler<EphemeralRunner> {
    @Override
    public List<EventSource<?, EphemeralRunner>> prepareEventSources(
        EventSourceContext<EphemeralRunner> context) {
      runners.open(context);
      return List.of(runners);
    }

    @Override
    public UpdateControl<EphemeralRunner> reconcile(
        EphemeralRunner runner, Context<EphemeralRunner> context) {
      return UpdateControl.noUpdate();
    }
  }

  /** One round of the controller, once the cache shows what the server has. */
  void round() {
    var runners = requireNonNull(cache);
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> versions(runners.all()).equals(versions(list().stream())));
    roundOnFalseCache();
  }

  /** Makes the cache show something that the server has not. */
  void falsifyCache(Consumer<ObjectMeta> change) {
    requireNonNull(cache).all().forEach(runner -> change.accept(runner.getMetadata()));
  }

  /** One round that fails. */
  void failRound() {
    pausesFail = true;
    assertThatThrownBy(this::round).isInstanceOf(IllegalStateException.class);
    pausesFail = false;
  }

  /** One round, whatever the cache shows. */
  void roundOnFalseCache() {
    requireNonNull(round).run();
  }

  /** A round, and one a second later; then only these runners are left. */
  void assertOnly(String... names) {
    round();
    clock.advance(Duration.ofSeconds(1));
    round();
    assertThat(runners()).containsExactly(names);
  }

  private static Set<String> versions(Stream<EphemeralRunner> runners) {
    return runners
        .map(r -> r.getMetadata().getName() + "/" + r.getMetadata().getResourceVersion())
        .collect(Collectors.toSet());
  }

  void stop() {
    if (operator != null) {
      operator.stop();
      operator = null;
    }
    if (own != null) {
      own.close();
      own = null;
    }
  }

  /** A set of that name with its ers, named alike. */
  EphemeralRunnerSet createSet(String name, String retention) {
    var set =
        kube.getKubernetesSerialization()
            .unmarshal(
                """
                apiVersion: runnerset.dev/v1alpha1
                kind: AutoScalingRunnerSet
                metadata: {name: %s, namespace: default}
                spec:
                  githubConfigUrl: https://github.com/o
                  githubConfigSecret: {name: s}
                  retention: %s
                  template: {spec: {containers: [{name: runner, image: i}]}}
                """
                    .formatted(name, retention),
                AutoScalingRunnerSet.class);
    var made = kube.resource(set).create();
    var ers =
        kube.getKubernetesSerialization()
            .unmarshal(
                """
                apiVersion: runnerset.dev/v1alpha1
                kind: EphemeralRunnerSet
                metadata:
                  name: %s
                  namespace: default
                  ownerReferences:
                  - {apiVersion: runnerset.dev/v1alpha1, kind: AutoScalingRunnerSet, name: %s, uid: %s, controller: true}
                spec:
                  revision: r
                  githubConfigUrl: https://github.com/o
                  githubConfigSecret: {name: s}
                  runnerScaleSetId: 1
                  template: {spec: {containers: [{name: runner, image: i}]}}
                """
                    .formatted(name, name, made.getMetadata().getUid()),
                EphemeralRunnerSet.class);
    return kube.resource(ers).create();
  }

  /** Creates a runner that has not finished; of no set where {@code ers} is null. */
  EphemeralRunner running(String name, @Nullable EphemeralRunnerSet ers, String retention) {
    var runner =
        kube.getKubernetesSerialization()
            .unmarshal(
                """
                apiVersion: runnerset.dev/v1alpha1
                kind: EphemeralRunner
                metadata: {name: %s, namespace: default}
                spec:
                  githubConfigUrl: https://github.com/o
                  githubConfigSecret: {name: s}
                  runnerScaleSetId: 1
                  retention: %s
                """
                    .formatted(name, retention),
                EphemeralRunner.class);
    if (ers != null) {
      runner.getMetadata().setLabels(Map.of(Labels.SET, ers.getMetadata().getName()));
      runner.addOwnerReference(ers).setController(true);
      Ownership.setUid(ers)
          .ifPresent(uid -> runner.getMetadata().setAnnotations(Map.of(Labels.SET_UID, uid)));
    }
    return kube.resource(runner).create();
  }

  /** Creates one that has finished some time ago. */
  EphemeralRunner finished(
      String name,
      @Nullable EphemeralRunnerSet ers,
      String retention,
      String succeeded,
      Duration ago) {
    var runner = running(name, ers, retention);
    finish(runner, succeeded, ago);
    return runner;
  }

  /** What the er reconciler writes at the end. */
  void finish(EphemeralRunner runner, String succeeded, Duration ago) {
    var status = JsonNodeFactory.instance.objectNode();
    status.put("phase", succeeded.equals("True") ? "Succeeded" : "Failed");
    condition(status.putArray("conditions").addObject(), succeeded, ago);
    var _ = new KubeApi(kube).mergeStatus(EphemeralRunner.class, Resource.of(runner), status);
  }

  /** What the end of a runner says that a rule keeps. */
  void keptByRule(String name) {
    var status = JsonNodeFactory.instance.objectNode().put("keptBy", "Rule");
    var runner = kube.resources(EphemeralRunner.class).inNamespace(NAMESPACE).withName(name).get();
    var _ = new KubeApi(kube).mergeStatus(EphemeralRunner.class, Resource.of(runner), status);
  }

  private void condition(
      com.fasterxml.jackson.databind.node.ObjectNode condition, String status, Duration ago) {
    condition
        .put("type", "Succeeded")
        .put("status", status)
        .put("reason", "Ended")
        .put("message", "")
        .put(
            "lastTransitionTime",
            clock.instant().minus(ago).truncatedTo(ChronoUnit.SECONDS).toString());
  }

  void patch(HasMetadata object, String merge) {
    kube.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  /** Deletes it for a finalizer to wait on. */
  void hold(String name) {
    var runner = kube.resources(EphemeralRunner.class).inNamespace(NAMESPACE).withName(name).get();
    patch(runner, "{\"metadata\": {\"finalizers\": [\"test/holds\"]}}");
    kube.resource(runner).delete();
  }

  /** The server answers the next deletion of a runner with that code, and does nothing. */
  void failNextDeletion(int code) {
    api.faults().failNextWrites("ephemeralrunners.runnerset.dev", code, 1);
  }

  /** Warnings about objects of that kind, reason first. */
  List<String> warnings(String kind) {
    return kube.v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(event -> event.getType().equals("Warning"))
        .filter(event -> event.getInvolvedObject().getKind().equals(kind))
        .map(event -> event.getReason() + ": " + event.getMessage())
        .toList();
  }

  Optional<AutoScalingRunnerSet> set(String namespace, String name) {
    return Optional.ofNullable(
        kube.resources(AutoScalingRunnerSet.class).inNamespace(namespace).withName(name).get());
  }

  AutoScalingRunnerSet set(String name) {
    return set(NAMESPACE, name).orElseThrow();
  }

  private List<AutoScalingRunnerSet> sets() {
    return kube.resources(AutoScalingRunnerSet.class).inNamespace(NAMESPACE).list().getItems();
  }

  private List<EphemeralRunner> list() {
    return kube.resources(EphemeralRunner.class).inNamespace(NAMESPACE).list().getItems();
  }

  List<String> runners() {
    return list().stream().map(runner -> runner.getMetadata().getName()).sorted().toList();
  }

  /** Requests of the controller under test with that verb on runners. */
  long requests(String verb) {
    return api.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().writer().equals(WRITER))
        .filter(e -> e.getKey().verb().equals(verb))
        .filter(e -> e.getKey().resource().startsWith("ephemeralrunners."))
        .mapToLong(java.util.Map.Entry::getValue)
        .sum();
  }

  double counted(String reason, String outcome) {
    return Exposition.of(meters::snapshots)
        .value("runnerset_finished_runners_deleted_total", NAMESPACE, "linux", reason, outcome);
  }

  double refused(String reason, String outcome) {
    return Exposition.of(meters::snapshots)
        .value("runnerset_finished_runners_refused_total", NAMESPACE, "linux", reason, outcome);
  }

  @Override
  public void close() {
    stop();
    cluster.close();
  }
}
