package dev.runnerset.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.network.TcpProxy;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A set with a namespace and a service of its own, so that what happens to it happens to no other;
 * what a script can do there.
 */
public final class SeparateSet implements AutoCloseable {
  /** The endpoints of the service that the controller and the listener call, but for messages. */
  public static final List<String> ADMINISTRATION =
      List.of(
          "registrationToken",
          "runnerRegistration",
          "listRunners",
          "runnerGroups",
          "findScaleSet",
          "getScaleSet",
          "createScaleSet",
          "updateScaleSet",
          "generatejitconfig",
          "getRunner",
          "findRunner",
          "removeRunner",
          "createSession",
          "refreshSession");

  /** Asks before each pod of the namespace {@code %1$s}, at a port where nobody listens. */
  public static final String DEAD_POD_WEBHOOK =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: %1$s}
      webhooks:
      - name: pods.example.com
        clientConfig: {url: "https://127.0.0.1:9/check"}
        rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
        namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %1$s}}
        failurePolicy: Fail
        sideEffects: None
        admissionReviewVersions: [v1]
      """;

  public static final String OWNER = "my-org";
  public static final String SECRET = "github";
  private static final String TOKEN = "demo-token";
  private static final int MIN = 1;
  private static final int MAX = 3;

  private final String name;
  private final World world;
  private final KubernetesClient kube;
  private final Map<String, PodFault> faultBySet;
  private final Clock clock;
  private ActionsServiceServer service;
  private boolean listening = true;

  /**
   * A set that is not made yet.
   *
   * @param faultBySet what goes wrong with the pods of sets, by name
   */
  public SeparateSet(String name, World world, Map<String, PodFault> faultBySet, Clock clock) {
    this.name = name;
    this.world = world;
    this.kube = world.kube();
    this.faultBySet = faultBySet;
    this.clock = clock;
    service = ActionsServiceServer.start(Options.accepting(TOKEN), clock);
  }

  /** The faults that {@link SeparateSet}s share, as the node asks for them. */
  public static Map<String, PodFault> faultsOf(World world) {
    var faults = new ConcurrentHashMap<String, PodFault>();
    world
        .node()
        .faults(pod ->
            faults.entrySet().stream()
                .filter(e -> pod.startsWith(e.getKey() + "-"))
                .map(Map.Entry::getValue)
                .findFirst());
    return faults;
  }

  public String name() {
    return name;
  }

  /** Its own: nothing else is in it. */
  public String namespace() {
    return name;
  }

  public World world() {
    return world;
  }

  public ActionsServiceServer service() {
    return service;
  }

  /** Everything but the set. */
  public void prepare() {
    apply("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(namespace()));
    world.admit(namespace());
    makeSecret();
  }

  /** A proxy through which the programs reach its service from now on; runners do not. */
  public TcpProxy putProxyBeforeService() {
    var proxy = TcpProxy.before(service.url().getPort());
    service.reachedAt(URI.create("http://127.0.0.1:" + proxy.port()));
    return proxy;
  }

  /**
   * The set itself.
   *
   * @param fields of its spec beside the common ones, in YAML
   * @param pod of the pods' spec beside the common fields, in YAML
   */
  public void make(String fields, String pod) {
    make(fields, pod, MAX);
  }

  /** The same with another number of runners at most. */
  public void make(String fields, String pod, int maxRunners) {
    apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: %s, namespace: %s}
        spec:
          githubConfigUrl: %s
          githubConfigSecret: {name: %s}
          minRunners: %d
          maxRunners: %d
        %s
          template:
            spec:
        %s
              containers: [{name: runner, image: "ghcr.io/actions/actions-runner:2.338.1"}]
        """
            .formatted(
                name,
                namespace(),
                service.configUrl(OWNER),
                SECRET,
                MIN,
                maxRunners,
                fields.indent(2).stripTrailing(),
                pod.formatted(name).indent(6).stripTrailing()));
  }

  /** As it is in the cluster; null while there is none. */
  public @Nullable AutoScalingRunnerSet get() {
    return kube.resources(AutoScalingRunnerSet.class).inNamespace(namespace()).withName(name).get();
  }

  /** Whether every job that was submitted for it is done. */
  public boolean isDone() {
    var jobs = service.control().jobCounts();
    return jobs.completed() == jobs.submitted();
  }

  /** Whether it has run a job, its first rollout is over, and it waits for the next one. */
  public boolean isWarm(AutoScalingRunnerSet set) {
    var history = set.statusOrNone().history();
    return SetHealth.isWell(set.statusOrNone().conditions())
        && isDone()
        && !history.isEmpty()
        && history.getFirst().state() == HistoryEntry.State.COMPLETED
        && service.control().runners().size() == MIN
        && service.control().runners().stream().allMatch(r -> r.state().equals("IDLE"));
  }

  public void jobs(int count, Duration length) {
    service.control().submit(JobRequest.of(count, name, length));
  }

  /** How often its service was asked to register a runner. */
  public long registrations() {
    return service.control().counters().getOrDefault("generatejitconfig", 0L);
  }

  /** Its scale set at the service; -1 before it has one. */
  public int scaleSet() {
    return service.control().scaleSets().stream()
        .filter(s -> s.name().equals(name))
        .mapToInt(s -> s.id())
        .findFirst()
        .orElse(-1);
  }

  /** The service goes wrong so at these of its endpoints. */
  public void serviceFaults(HttpFault... faults) {
    service.control().faults(FaultPlan.NONE.withHttp(faults));
  }

  /** Every endpoint of the service but those of messages answers so, until it is repaired. */
  public void administrationAnswers(int status) {
    serviceFaults(
        ADMINISTRATION.stream()
            .map(e -> HttpFault.answer(e, status, -1))
            .toArray(HttpFault[]::new));
  }

  /** Nobody listens at the service's port. */
  public void stopService() {
    service.close();
    listening = false;
  }

  /** The service comes back at its port, and has forgotten everything. */
  public void startService() {
    var again = Options.accepting(TOKEN).withPort(service.url().getPort());
    service = ActionsServiceServer.start(again, clock);
    listening = true;
  }

  /** What goes wrong with its pods from now on. */
  public void podFault(PodFault fault) {
    faultBySet.put(name, fault);
  }

  public void noPodFault() {
    faultBySet.remove(name);
  }

  public void makeSecret() {
    apply(
        "{apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: %s}, stringData: {github_token: %s}}"
            .formatted(SECRET, namespace(), TOKEN));
  }

  /** Creates an object of the cluster, or puts it in the place of the one that is there. */
  public void apply(String yaml) {
    for (var object : load(yaml)) {
      kube.resource(object).createOr(there -> there.update());
    }
  }

  /** Asks for the deletion of an object; it may have finalizers. */
  public void delete(String yaml) {
    for (var object : load(yaml)) {
      var _ = kube.resource(object).delete();
    }
  }

  private List<HasMetadata> load(String yaml) {
    // what begins with a brace would be taken for JSON
    return kube.load(new ByteArrayInputStream(("---\n" + yaml).getBytes(UTF_8))).items();
  }

  /** Whether such an object is there, on its way out or not. */
  public boolean isThere(String yaml) {
    return kube.resource(load(yaml).getFirst()).get() != null;
  }

  /** Merges into an object. */
  public void merge(String yaml, String patch) {
    kube.resource(load(yaml).getFirst()).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** Annotates an object, unless it is gone. */
  public void annotate(HasMetadata object, String key, String value) {
    var patch = "{\"metadata\": {\"annotations\": {\"%s\": \"%s\"}}}".formatted(key, value);
    try {
      kube.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 404 && e.getCode() != 409) {
        throw e;
      }
    }
  }

  public void deleteSecret() {
    kube.secrets().inNamespace(namespace()).withName(SECRET).delete();
  }

  /** The set gets another revision. */
  public void changeImage() {
    kube.resources(AutoScalingRunnerSet.class)
        .inNamespace(namespace())
        .withName(name)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"template\": {\"spec\": {\"containers\": [{\"name\": \"runner\", \"image\":"
                + " \"ghcr.io/actions/actions-runner:2.339.0\"}]}}}}");
  }

  public void deleteSet() {
    kube.resources(AutoScalingRunnerSet.class).inNamespace(namespace()).withName(name).delete();
  }

  public void deleteNamespace() {
    kube.namespaces().withName(namespace()).delete();
  }

  @Override
  public void close() {
    if (listening) {
      service.close();
    }
  }
}
