package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.ServiceSettings;
import dev.runnerset.actions.http.SharedConnections;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerSpecBuilder;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.crds.NamespacedReference;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.node.SimulatedNode;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** An API server, an Actions service and a node, with one set as the controller would have it. */
final class Servers implements AutoCloseable {
  static final Clock CLOCK = Clock.systemUTC();
  static final String TOKEN = "pat-1";
  static final AllowedHosts ALLOWED = AllowedHosts.of("127.0.0.1", "localhost");

  final KubeApiServer kube = KubeApiServer.start(0, CLOCK);
  final ActionsServiceServer service = ActionsServiceServer.start(Options.accepting(TOKEN), CLOCK);
  final ActionsService asController = asController(service);
  final KubernetesClient client = client("test");
  final KubeApi api = new KubeApi(client);
  final SimulatedNode node =
      SimulatedNode.start(
          new io.fabric8.kubernetes.client.ConfigBuilder(Config.empty())
              .withMasterUrl(kube.url().toString())
              .build(),
          NodeOptions.defaults().withDelays(Duration.ZERO, Duration.ofMillis(50)));
  final ScaleSet scaleSet;
  private final List<Runnable> more = new ArrayList<>();

  Servers() {
    prepare(kube);
    var wanted = new NewScaleSet("linux", RunnerGroupId.DEFAULT, List.of("linux"));
    scaleSet = ((CreateScaleSetResult.Created) asController.createScaleSet(wanted)).scaleSet();
    set();
  }

  /** The definitions, the two namespaces, and the secret of the team. */
  static void prepare(KubeApiServer kube) {
    kube.apply(Crds.yaml());
    kube.apply("{apiVersion: v1, kind: Namespace, metadata: {name: team}}");
    kube.apply("{apiVersion: v1, kind: Namespace, metadata: {name: trusted}}");
    secret(kube, TOKEN);
  }

  void secret(String token) {
    secret(kube, token);
  }

  private static void secret(KubeApiServer kube, String token) {
    kube.apply(
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: github, namespace: team}
        stringData: {github_token: "%s"}
        """
            .formatted(token));
  }

  /** The service as the controller calls it; its own certificate needs an authority. */
  static ActionsService asController(ActionsServiceServer service, X509Certificate... authorities) {
    return new SharedConnections()
        .connect(
            ServiceSettings.of(
                    ConfigUrl.parse(service.configUrl("acme").toString()),
                    new Credentials.Token(TOKEN),
                    UserAgent.of("test", "controller"),
                    CLOCK)
                .withTrustedAuthorities(List.of(authorities))
                .withAllowedHosts(ALLOWED));
  }

  /**
   * Makes a set as the controller does: its scale set, its object and its listener object.
   *
   * @param more a line for the spec of the listener object, or empty
   */
  static void makeSet(
      KubeApiServer kube,
      KubernetesClient client,
      ActionsServiceServer service,
      ActionsService asController,
      String name,
      String more) {
    var wanted = new NewScaleSet(name, RunnerGroupId.DEFAULT, List.of(name));
    var made = (CreateScaleSetResult.Created) asController.createScaleSet(wanted);
    var url = service.configUrl("acme");
    var id = made.scaleSet().id();
    kube.apply(ephemeralRunnerSet(name, url, id));
    var set = client.resources(EphemeralRunnerSet.class).inNamespace("team").withName(name);
    kube.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingListener
        metadata: {name: team-%1$s, namespace: trusted}
        spec:
          runnerSet: {namespace: team, name: %1$s, uid: %2$s}
          githubConfigUrl: %3$s
          githubConfigSecret: {namespace: team, name: github}
          scaleSetId: %4$s
          capacity: 10
          %5$s
        """
            .formatted(name, set.require().getMetadata().getUid(), url, id, more));
  }

  /** The set's object, as the controller makes it. */
  void set() {
    kube.apply(ephemeralRunnerSet("linux", service.configUrl("acme"), scaleSet.id()));
  }

  /** The object of a set of that name, in YAML. */
  static String ephemeralRunnerSet(String name, URI configUrl, ScaleSetId id) {
    return """
    apiVersion: runnerset.dev/v1alpha1
    kind: EphemeralRunnerSet
    metadata: {name: %s, namespace: team}
    spec:
      replicas: 0
      revision: r1
      githubConfigUrl: %s
      githubConfigSecret: {name: github}
      runnerScaleSetId: %s
      template: {spec: {containers: [{name: runner, image: runner}]}}
    """
        .formatted(name, configUrl, id);
  }

  /** The listener object, for the EphemeralRunnerSet as it is now. */
  void listen(int capacity) {
    var listener = new AutoScalingListener();
    listener.getMetadata().setName("team-linux");
    listener.getMetadata().setNamespace("trusted");
    listener.setSpec(
        AutoScalingListenerSpecBuilder.builder()
            .runnerSet(new ListenerTarget("team", "linux", ers().getMetadata().getUid()))
            .githubConfigUrl(service.configUrl("acme").toString())
            .githubConfigSecret(new NamespacedReference("team", "github"))
            .scaleSetId(scaleSet.id().value())
            .capacity(capacity)
            .build());
    kube.apply(client.getKubernetesSerialization().asJson(listener));
  }

  KubernetesClient client(String userAgent) {
    try {
      var file = Files.createTempFile("kubeconfig", ".yaml");
      Files.writeString(file, kube.kubeconfig());
      var made = KubeConnection.connect(Optional.of(file), userAgent);
      deleteLater(file);
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteLater(Path file) {
    file.toFile().deleteOnExit();
  }

  ListenerProgram listener(String identity) {
    return listener(identity, Duration.ofSeconds(3), Duration.ofSeconds(2));
  }

  /** With a lease of 30 s: whoever leads after half of that waited for no end of a lease. */
  ListenerProgram patientListener(String identity) {
    return listener(identity, Duration.ofSeconds(30), Duration.ofSeconds(20));
  }

  private ListenerProgram listener(String identity, Duration lasts, Duration renewDeadline) {
    return listener(
        ListenerSettings.of("trusted", identity)
            .withLease(
                new ListenerSettings.Lease(
                    ListenerSettings.LEASE_NAME, lasts, renewDeadline, Duration.ofMillis(500))));
  }

  ListenerProgram listener(ListenerSettings settings) {
    var own = client("runnerset-listener-" + settings.identity());
    var program =
        ListenerProgram.start(
            settings,
            own,
            maySend -> ListenerProgram.connector(settings.poll(), ALLOWED, maySend, CLOCK),
            CLOCK,
            new Random(1));
    more.add(program::close);
    more.add(own::close);
    return program;
  }

  void submit(int jobs, Duration each) {
    var _ = service.control().submit(JobRequest.of(jobs, "linux", each));
  }

  /** What the controller does for one runner: registration, object, pod. */
  void runner(String name) {
    var jit = (JitConfigResult.Registered) asController.generateJitConfig(scaleSet.id(), name, "");
    runnerObject(name, jit.runner().id().value());
    kube.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %1$s
          namespace: team
          labels: {app.kubernetes.io/component: runner}
        spec:
          restartPolicy: Never
          containers:
          - name: runner
            image: runner
            env: [{name: ACTIONS_RUNNER_INPUT_JITCONFIG, value: "%2$s"}]
        """
            .formatted(name, jit.config().encoded()));
  }

  void runnerObject(String name, long runnerId) {
    kube.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunner
        metadata: {name: %s, namespace: team}
        spec:
          githubConfigUrl: %s
          githubConfigSecret: {name: github}
          runnerScaleSetId: %d
        """
            .formatted(name, service.configUrl("acme"), scaleSet.id().value()));
    var _ =
        api.mergeStatus(
            EphemeralRunner.class,
            Resource.of(EphemeralRunner.class, "team", name),
            JsonNodeFactory.instance.objectNode().put("runnerId", runnerId));
  }

  EphemeralRunnerSet ers() {
    return api.get(
        EphemeralRunnerSet.class, Resource.of(EphemeralRunnerSet.class, "team", "linux"));
  }

  Demand demand() {
    var demand = listenerStatus().demand();
    return demand == null
        ? new Demand(0, 0, null, null, null, null, null, null, null, null, null)
        : demand;
  }

  int assigned() {
    var assigned = demand().assigned();
    return assigned == null ? -1 : assigned;
  }

  EphemeralRunnerStatus runnerStatus(String name) {
    var runner = api.get(EphemeralRunner.class, Resource.of(EphemeralRunner.class, "team", name));
    return runner.statusOrNone();
  }

  /** Whether its job is over in a message that the demand reckons with. */
  boolean isReleased(String runner) {
    var job = runnerStatus(runner).job();
    return job != null && job.completedIn() != null && job.completedIn() <= demand().messageId();
  }

  AutoScalingListenerStatus listenerStatus() {
    var listener =
        api.get(
            AutoScalingListener.class,
            Resource.of(AutoScalingListener.class, "trusted", "team-linux"));
    return listener == null ? AutoScalingListenerStatus.NONE : listener.statusOrNone();
  }

  boolean isConnected() {
    return listenerStatus().conditions().stream()
        .anyMatch(c -> c.getType().equals("Connected") && c.getStatus().equals("True"));
  }

  String reason(String type) {
    return listenerStatus().conditions().stream()
        .filter(c -> c.getType().equals(type))
        .map(c -> c.getReason())
        .findFirst()
        .orElse("");
  }

  /** As another holder does at its take-over. */
  void raiseEpoch(long epoch) {
    var status = JsonNodeFactory.instance.objectNode();
    status.put("epoch", epoch);
    var at = Resource.of(AutoScalingListener.class, "trusted", "team-linux");
    var _ = api.mergeStatus(AutoScalingListener.class, at, status);
  }

  /** Puts the controller's finalizer on the listener object, or takes it off. */
  void hold(boolean on) {
    var body = JsonNodeFactory.instance.objectNode();
    var finalizers = body.putObject("metadata").putArray("finalizers");
    if (on) {
      finalizers.add("runnerset.dev/set");
    }
    var _ = api.merge(AutoScalingListener.class, listenerAddress(), body);
  }

  /** Another process that dies at once: it will not renew what it took. */
  void stealLease(String thief) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("spec")
        .put("holderIdentity", thief)
        .put("renewTime", CLOCK.instant().truncatedTo(ChronoUnit.MICROS).toString());
    var _ = api.merge(Lease.class, Resource.of(Lease.class, "trusted", "runnerset-listener"), body);
  }

  void deleteListener() {
    assertThat(api.delete(listenerAddress(), new Preconditions(null, null))).isTrue();
  }

  /** Deletes the set's object and makes another of the same name. */
  void remakeSet() {
    var at = Resource.of(EphemeralRunnerSet.class, "team", "linux");
    assertThat(api.delete(at, new Preconditions(null, null))).isTrue();
    set();
  }

  private static Resource listenerAddress() {
    return Resource.of(AutoScalingListener.class, "trusted", "team-linux");
  }

  /** Requests of all listeners by verb, resource and subresource, without lease and watch. */
  Map<String, Long> listenerRequests() {
    var counts = new TreeMap<String, Long>();
    kube.counters()
        .snapshot()
        .forEach((key, n) -> {
          if (key.writer().startsWith("runnerset-listener")
              && !key.resource().startsWith("leases")
              && !key.verb().equals("watch")) {
            counts.merge(
                key.verb() + " " + key.resource() + "/" + key.subresource() + " " + key.code(),
                n,
                Long::sum);
          }
        });
    return counts;
  }

  @Override
  public void close() {
    more.forEach(Runnable::run);
    node.close();
    asController.close();
    client.close();
    service.close();
    kube.close();
  }
}
