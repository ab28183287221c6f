package dev.runnerset.controller.autoscalingrunnerset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.LiveRunners;
import dev.runnerset.controller.autoscalingrunnerset.children.TemplateCheck;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetCleanup;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.autoscalingrunnerset.registration.ServiceProbe;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.config.Places;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.features.Features;
import dev.runnerset.controller.features.idleage.AgeCollection;
import dev.runnerset.controller.features.idleage.AgeFeature;
import dev.runnerset.controller.features.idleage.AgeReport;
import dev.runnerset.controller.features.idleage.IdleAge;
import dev.runnerset.controller.features.references.ReferenceLists;
import dev.runnerset.controller.features.runnerversion.RunnerVersionFeature;
import dev.runnerset.controller.features.shield.LeavingNodes;
import dev.runnerset.controller.features.shield.ShieldFeature;
import dev.runnerset.controller.features.shield.ShieldReader;
import dev.runnerset.controller.features.shield.Shields;
import dev.runnerset.controller.features.upgrade.InstalledKinds;
import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.testing.NoQuotas;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One set over an API server in this process: its passes run when the test says so, by a clock that
 * the test moves. The service is {@link FakeScaleSets}; the reconcilers of the runners, the node
 * and the listener are the test.
 */
final class RunnerSetWorld implements AutoCloseable {
  static final String SET = "linux";

  /** Of the installation. */
  static final Places PLACES = new Places(Set.of(), "c-ns", "l-ns", "listener");

  final FakeScaleSets service = new FakeScaleSets();
  final List<String> events = new ArrayList<>();

  /** The other sets of the cluster. */
  final List<AutoScalingRunnerSet> others = new ArrayList<>();

  /** What happens between a list of the pods and what the controller does about it. */
  Runnable afterPods = () -> {};

  /** Whether the namespace is being deleted: nothing can be made in it. */
  boolean namespaceGoes;

  boolean listenerNamespaceGoes;

  /** Whether the role of the controller is bound in no namespace: it reads its own kinds only. */
  boolean withoutRights;

  final TestClock clock = new TestClock(Instant.parse("2026-11-21T12:00:00Z"));

  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  private final KubeApiServer api = cluster.api();
  private final KubernetesClient client = cluster.client();
  private final KubeApi kube =
      new KubeApi(client) {
        @Override
        public <T extends HasMetadata> @Nullable T get(Class<T> kind, Resource at) {
          if (withoutRights && (kind == Role.class || kind == RoleBinding.class)) {
            throw forbidden(at);
          }
          return super.get(kind, at);
        }

        @Override
        public <T extends HasMetadata> List<T> list(
            Class<T> kind, String namespace, Map<String, String> labels) {
          var listed = super.list(kind, namespace, labels);
          if (kind == Pod.class) {
            afterPods.run();
          }
          return listed;
        }

        @Override
        public <T extends HasMetadata> JsonNode dryRunCreate(T object) {
          if (namespaceGoes) {
            throw terminating("default");
          }
          return super.dryRunCreate(object);
        }

        @Override
        public <T extends HasMetadata> T create(T object) {
          if (listenerNamespaceGoes && object instanceof AutoScalingListener) {
            throw terminating("l-ns");
          }
          return super.create(object);
        }
      };
  private final RunnersReports reports = new RunnersReports();
  private RunnersReport report = RunnersReport.NONE;
  private @Nullable Features features;
  private @Nullable RunnerSetSync sync;
  private @Nullable RunnerSetDeletion deletion;

  private final WriteCache cache =
      new WriteCache() {
        @Override
        public void created(HasMetadata made) {}

        @Override
        public void changed(HasMetadata before, HasMetadata after) {}
      };

  private static KubernetesClientException terminating(String namespace) {
    return new KubernetesClientException(
        "forbidden: unable to create new content in namespace %s because it is being terminated"
            .formatted(namespace),
        403,
        null);
  }

  private static KubernetesClientException forbidden(Resource at) {
    var words =
        "%s \"%s\" is forbidden: User \"system:serviceaccount:runnerset-system:runnerset-controller\""
                .formatted(at.plural(), at.name())
            + " cannot get resource \"%s\" in API group \"rbac.authorization.k8s.io\" in the"
                .formatted(at.plural())
            + " namespace \"default\"";
    return new KubernetesClientException(words, 403, null);
  }

  RunnerSetWorld() {
    api.apply("{apiVersion: v1, kind: Namespace, metadata: {name: l-ns}}");
    api.apply("{apiVersion: v1, kind: Secret, metadata: {name: github, namespace: default}}");
    restart();
  }

  /** The next process knows what the objects say, and no more. */
  void restart() {
    var memories = new Memories();
    var statuses = new StatusWriter(kube, cache, memories);
    Events reported = (about, reason, message) -> events.add(reason.word() + ": " + message);
    var connections = service.connections();
    var calls = new ServiceCalls(memories, Runnable::run, woken -> {});
    var registrar = new ScaleSetRegistrar(connections, calls, reported, memories, clock);
    var verdicts = new RunnerVerdicts(new Memories(), runner -> {});
    features =
        new Features(
            new Features.Readers(
                new ShieldFeature(
                    new Shields(verdicts, key -> Optional.empty()),
                    new LeavingNodes(LeavingTaints.DEFAULT),
                    new ShieldReader(kube, PLACES, clock)),
                new AgeFeature(
                    new IdleAge(Meter.series(), reported),
                    new AgeReport(
                        new AgeCollection(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT))),
                new ReferenceLists(EmbeddedStatus.MINIMAL, kube::patchesTake),
                new InstalledKinds(kube, memories, clock),
                new RunnerVersionFeature(
                    connections,
                    runner -> Optional.empty(),
                    memories,
                    task -> {},
                    set -> {},
                    clock),
                NoQuotas.feature(clock)),
            Meter.series(),
            Clocks.of(clock, System::nanoTime));
    var maker =
        new StatusMaker(
            features.hooks(), new HolderLeases(System::nanoTime), reports, memories, clock);
    var templates = new TemplateCheck(kube, clock, memories);
    var children = new ChildWriter(kube, "l-ns", "listener");
    var runners = new LiveRunners(kube);
    var probe = new ServiceProbe(connections, calls, clock, memories);
    sync = new RunnerSetSync(registrar, templates, children, maker, statuses, cache, clock);
    deletion =
        new RunnerSetDeletion(
            registrar,
            new ScaleSetCleanup(connections, calls, reported, clock, "l-ns", memories),
            children,
            runners,
            maker,
            statuses,
            new WithoutService(kube, runners, probe, reported, clock, memories),
            cache,
            reported,
            memories,
            clock);
  }

  /** An administrator applies definitions of kinds; the controller compares them when due. */
  void kinds(String yaml) {
    api.apply(yaml);
    clock.advance(Duration.ofMinutes(10));
    lookAtCluster();
  }

  /** An object with all its fields, also those that this version does not know. */
  JsonNode whole(HasMetadata object) {
    return kube.getWhole(Resource.of(object));
  }

  /** What another version of a program writes into the status of an object. */
  void foreignStatus(HasMetadata object, String json) {
    status(object, json);
  }

  /** What another version of a program, or a user, writes into the spec of an object. */
  void foreignSpec(HasMetadata object, String json) {
    merge(object, "{'spec': " + json + "}");
  }

  /** Makes the set. */
  void create(String... specLines) {
    var set = Sets.set(SET, specLines);
    set.getMetadata().setNamespace("default");
    set.getMetadata().setUid(null);
    set.getMetadata().setFinalizers(List.of(Labels.SET_FINALIZER));
    var _ = kube.create(set);
  }

  /** A user's own role under the name of ours. */
  void foreignRole() {
    api.apply(
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: [],"
            + " metadata: {name: linux-listener, namespace: default}}");
  }

  private boolean lookAtCluster() {
    return Objects.requireNonNull(features).compareWithCluster();
  }

  /** Looks for the admission policy, as the controller does by a timer. */
  boolean lookForPolicy() {
    clock.advance(Duration.ofSeconds(20));
    return lookAtCluster();
  }

  void apply(String yaml) {
    api.apply(yaml);
  }

  /** A user's own budget under the name of ours. */
  void foreignBudget() {
    api.apply(
        "{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {minAvailable: 1},"
            + " metadata: {name: linux-busy, namespace: default}}");
  }

  /** Merges into the spec of the set. */
  void spec(String json) {
    merge(set(), "{'spec': " + json + "}");
  }

  void merge(HasMetadata object, String json) {
    var _ = kube.merge(object.getClass(), Resource.of(object), Sets.json(json));
  }

  private void status(HasMetadata object, String json) {
    status(object, Sets.json(json));
  }

  private void status(HasMetadata object, JsonNode status) {
    var _ = kube.mergeStatus(object.getClass(), Resource.of(object), status);
  }

  /** One pass over the living set, as the last status was long enough ago. */
  RequeueTime keep() {
    clock.advance(Duration.ofSeconds(2));
    return Objects.requireNonNull(sync).run(gather());
  }

  /** One pass over the set that is being deleted. */
  Optional<Instant> tearDown() {
    clock.advance(Duration.ofSeconds(2));
    return Objects.requireNonNull(deletion).run(gather()).toOptional();
  }

  private ObservedRunnerSet gather() {
    var set = set();
    Optional.ofNullable(ephemeralRunnerSet()).ifPresent(ers -> reports.put(ers, report));
    var roles = client.rbac();
    return new ObservedRunnerSet(
        set,
        Stream.concat(Stream.of(set), others.stream()).toList(),
        ephemeralRunnerSet(),
        listener(),
        roles.roles().inNamespace("default").withName(SET + "-listener").get(),
        roles.roleBindings().inNamespace("default").withName(SET + "-listener").get(),
        budget());
  }

  @Nullable PodDisruptionBudget budget() {
    return client
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace("default")
        .withName(SET + "-busy")
        .get();
  }

  AutoScalingRunnerSet set() {
    return Objects.requireNonNull(
        kube.get(
            AutoScalingRunnerSet.class, Resource.of(AutoScalingRunnerSet.class, "default", SET)));
  }

  @Nullable EphemeralRunnerSet ephemeralRunnerSet() {
    return kube.get(
        EphemeralRunnerSet.class, Resource.of(EphemeralRunnerSet.class, "default", SET));
  }

  @Nullable AutoScalingListener listener() {
    return kube.get(
        AutoScalingListener.class,
        Resource.of(AutoScalingListener.class, "l-ns", ChildNames.listener("default", SET)));
  }

  boolean hasPermissions() {
    return gatheredRole() != null && gatheredBinding() != null;
  }

  private @Nullable Role gatheredRole() {
    return gather().role();
  }

  private @Nullable RoleBinding gatheredBinding() {
    return gather().binding();
  }

  Condition condition(String type) {
    return conditions(type).findFirst().orElseThrow();
  }

  Stream<Condition> conditions(String type) {
    return set().getStatus().conditions().stream().filter(c -> type.equals(c.getType()));
  }

  /** Somebody deletes the object. */
  void delete(HasMetadata object) {
    kube.delete(Resource.of(object), Preconditions.uid(object));
  }

  /** A user deletes the set. */
  void delete() {
    delete(set());
  }

  /** What the listener writes: the demand of that message. */
  void demand(int assigned, long messageId) {
    status(
        Objects.requireNonNull(ephemeralRunnerSet()),
        "{'demand': {'epoch': 1, 'messageId': %d, 'assigned': %d, 'running': %d}}"
            .formatted(messageId, assigned, assigned));
  }

  /** What the reconciler of the runners writes once it has looked at the spec. */
  void runnersSeen(int live) {
    var ers = Objects.requireNonNull(ephemeralRunnerSet());
    status(
        ers,
        "{'observedGeneration': %d, 'runners': {'desired': 0, 'live': %d}}"
            .formatted(ers.getMetadata().getGeneration(), live));
  }

  /** What the reconciler of the runners reports of runners that do not end; null for none. */
  void notEnding(@Nullable String message) {
    report =
        message == null
            ? RunnersReport.NONE
            : RunnersReport.NONE.with(
                ConditionType.RUNNERS_NOT_ENDING,
                Verdict.yes(EphemeralRunnerSetReason.EXIT_OVERDUE, message));
  }

  /** A runner of the set with that status, and its pod, if a phase is given. */
  void runner(String name, String status, @Nullable String podStatus) {
    var ers = Objects.requireNonNull(ephemeralRunnerSet());
    api.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunner
        metadata:
          name: %s
          namespace: default
          labels: {runnerset.dev/set: linux}
          annotations: {runnerset.dev/set-uid: %s}
          finalizers: [runnerset.dev/registration]
          ownerReferences:
          - {apiVersion: runnerset.dev/v1alpha1, kind: EphemeralRunnerSet, name: linux, uid: %s,
             controller: true}
        spec:
          githubConfigUrl: https://github.com/my-org
          githubConfigSecret: {name: github}
          runnerScaleSetId: 1
        """
            .formatted(name, set().getMetadata().getUid(), ers.getMetadata().getUid()));
    status(Objects.requireNonNull(runner(name)), status);
    if (podStatus != null) {
      api.apply(
          """
          {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
           spec: {containers: [{name: runner, image: i}]}}
          """
              .formatted(name));
      podBecomes(name, podStatus);
    }
  }

  void podBecomes(String name, String status) {
    status(Objects.requireNonNull(pod(name)), status);
  }

  @Nullable EphemeralRunner runner(String name) {
    return kube.get(EphemeralRunner.class, Resource.of(EphemeralRunner.class, "default", name));
  }

  /** Whether somebody deleted the runner; its finalizers keep it. */
  boolean isLeaving(String name) {
    return Objects.requireNonNull(runner(name)).getMetadata().getDeletionTimestamp() != null;
  }

  @Nullable Pod pod(String name) {
    return kube.get(Pod.class, Resource.of(Pod.class, "default", name));
  }

  /** A user's {@code kubectl annotate}. */
  void annotate(String name, String key, String value) {
    var annotations = JsonNodeFactory.instance.objectNode().put(key, value);
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").set("annotations", annotations);
    var at = Resource.of(EphemeralRunner.class, "default", name);
    var _ = kube.merge(EphemeralRunner.class, at, body);
  }

  /** What the finalizers of the runners let go: those that are forced. */
  void finalizersRun() {
    for (var runner : client.resources(EphemeralRunner.class).list().getItems()) {
      var meta = runner.getMetadata();
      var annotations = meta.getAnnotations() == null ? null : meta.getAnnotations();
      if (meta.getDeletionTimestamp() != null
          && annotations != null
          && "true".equals(annotations.get(Labels.FORCE_DELETE))) {
        merge(runner, "{'metadata': {'finalizers': null}}");
      }
    }
  }

  /** The listener object goes once its session has ended. */
  void listenerReleased() {
    merge(Objects.requireNonNull(listener()), "{'metadata': {'finalizers': null}}");
  }

  @Override
  public void close() {
    cluster.close();
  }
}
