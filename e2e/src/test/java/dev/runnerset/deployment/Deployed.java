package dev.runnerset.deployment;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.deployment.node.ContainerImage;
import dev.runnerset.deployment.node.Happening;
import dev.runnerset.deployment.node.ProcessNode;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.e2e.Shell;
import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.node.SimulatedNode;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Control;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.JobView;
import dev.runnerset.simulator.service.Options;
import dev.runnerset.simulator.service.Timings;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A release of {@code charts/runnerset} on a control plane of its own: the test node runs its pods,
 * the simulated node those of the runners, and the simulated service has the jobs.
 */
final class Deployed implements AutoCloseable {
  static final String RELEASE = "runnerset";
  static final String CONTROLLERS = "runnerset-system";
  static final String LISTENERS = "runnerset-listener";
  static final String TEAM = "team";
  static final String SET = "linux";
  static final String TOKEN = "a-token";
  private static final Path CHART = RepositoryFiles.chart("runnerset");

  private final TestCluster cluster;
  private final KubernetesClient kube;
  private final KubernetesClient once;
  private final ActionsServiceServer service;
  private final SimulatedNode runners;
  private final ProcessNode node;
  private final Helm helm;
  private final Shell shell;
  private final Clock clock = Clock.systemUTC();

  /** A program of the release. */
  enum Part {
    CONTROLLER(CONTROLLERS),
    LISTENER(LISTENERS);

    private final String namespace;

    Part(String namespace) {
      this.namespace = namespace;
    }

    String namespace() {
      return namespace;
    }

    /** Of its Deployment, its lease and its service account. */
    String objectName() {
      return "runnerset-" + component();
    }

    String component() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** With the images of this build. */
  Deployed(Path folder) {
    this(folder, new ProgramImages(folder.resolve("images"))::named);
  }

  /** With a node that has these images, by the names in pods. */
  Deployed(Path folder, Function<String, Optional<ContainerImage>> images) {
    this(folder, images, Timings.defaults());
  }

  /** With a service that has these times. */
  Deployed(Path folder, Function<String, Optional<ContainerImage>> images, Timings timings) {
    cluster = TestCluster.start(TestCluster.Options.defaults());
    kube = cluster.adminClient();
    var admin = Config.fromKubeconfig(cluster.adminKubeconfig());
    // a client that gets 429 tries again, until a budget lets it pass
    var asked = new ConfigBuilder(admin).withRequestRetryBackoffLimit(0).build();
    once = new KubernetesClientBuilder().withConfig(asked).build();
    service = ActionsServiceServer.start(Options.accepting(TOKEN).withTimings(timings), clock);
    var quick =
        NodeOptions.defaults()
            .withDelays(Duration.ofMillis(250), Duration.ofMillis(250))
            .withForcedKills();
    runners = SimulatedNode.start(admin, quick);
    node =
        ProcessNode.start(
            new ProcessNode.Options(
                admin,
                "process-node",
                "app.kubernetes.io/instance=" + RELEASE,
                images,
                folder.resolve("pods"),
                List.of(service.configUrl("x").getPort()),
                clock));
    helm = Helm.on(cluster.adminKubeconfigFile(), folder.resolve("helm"));
    shell = new Shell(cluster, folder);
    shell.set("HOME", folder.toString()); // where helm keeps what it pulled
  }

  KubernetesClient kube() {
    return kube;
  }

  Control service() {
    return service.control();
  }

  /** The URL of an organization at the service. */
  String configUrl(String organization) {
    return service.configUrl(organization).toString();
  }

  /** Where an administrator of the cluster types commands. */
  Shell shell() {
    return shell;
  }

  ProcessNode node() {
    return node;
  }

  Instant now() {
    return clock.instant();
  }

  /** Installs this build under another tag. */
  void installFormer() {
    apply(
        "--set=image.tag=" + ProgramImages.FORMER,
        "--set=listener.image.tag=" + ProgramImages.FORMER);
  }

  /**
   * What a page says to a user: four commands, with the helm at that path. The addresses are those
   * of this machine; nothing waits in between.
   */
  void installRelease(Path program, String charts, String version) {
    var from = " --plain-http --version " + version;
    var commands =
        List.of(
            "%s install runnerset %s/runnerset -n %s --create-namespace --set 'allowedHosts={127.0.0.1}'"
                    .formatted(program, charts, CONTROLLERS)
                + from,
            "kubectl create namespace " + TEAM,
            "kubectl create secret generic github -n "
                + TEAM
                + " --from-literal=github_token="
                + TOKEN,
            "%s install %s %s/runnerset-set -n %s --set githubConfigUrl=%s --set githubConfigSecret=github --set minRunners=1"
                    .formatted(program, SET, charts, TEAM, service.configUrl("my-org"))
                + from);
    commands.forEach(command -> shell.run(command).done());
  }

  /** Upgrades to this build. */
  void upgrade() {
    apply("--reset-values");
  }

  /** Installs the chart, or upgrades to it, and waits as helm does until it is ready. */
  private void apply(String... more) {
    var words = new ArrayList<String>();
    words.addAll(List.of("upgrade", "--install", RELEASE, CHART.toString()));
    words.addAll(List.of("-n", CONTROLLERS, "--create-namespace", "--wait", "--timeout", "2m"));
    words.addAll(List.of(more));
    words.add("--set=allowedHosts={127.0.0.1}"); // the simulated service is on this machine
    helm(words.toArray(String[]::new));
  }

  void uninstall() {
    helm("uninstall", RELEASE, "-n", CONTROLLERS, "--wait", "--timeout", "2m");
  }

  private void helm(String... words) {
    try {
      helm.run(words).orFail();
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + story(), e);
    }
  }

  /** Installs the chart of a set, with its namespace and secret. */
  void makeSet(int minRunners, int maxRunners) {
    helm(
        "install",
        SET,
        RepositoryFiles.chart("runnerset-set").toString(),
        "--namespace=" + TEAM,
        "--create-namespace",
        "--set=githubConfigUrl=" + service.configUrl("my-org"),
        "--set=githubConfigSecret.github_token=" + TOKEN,
        "--set=minRunners=" + minRunners,
        "--set=maxRunners=" + maxRunners);
  }

  AutoScalingRunnerSet set() {
    return kube.resources(AutoScalingRunnerSet.class).inNamespace(TEAM).withName(SET).get();
  }

  /** Waits until the set says that it is ready, if it is there. */
  void awaitSetReady() {
    await(
        "the set is ready",
        Duration.ofSeconds(60),
        () -> readiness().matches("none|True.*"),
        this::readiness);
  }

  private String readiness() {
    var set = set();
    if (set == null) {
      return "none";
    }
    return set.getStatus() == null
        ? ""
        : set.getStatus().conditions().stream()
            .filter(c -> c.getType().equals("Ready"))
            .map(c -> c.getStatus() + " " + c.getReason() + ": " + c.getMessage())
            .findFirst()
            .orElse("");
  }

  /** The pods of a program that are not about to end, oldest first. */
  List<Pod> pods(Part part) {
    return kube
        .pods()
        .inNamespace(part.namespace())
        .withLabel("app.kubernetes.io/instance", RELEASE)
        .withLabel("app.kubernetes.io/component", part.component())
        .list()
        .getItems()
        .stream()
        .filter(p -> p.getMetadata().getDeletionTimestamp() == null)
        .sorted(Comparator.comparing(p -> p.getMetadata().getCreationTimestamp()))
        .toList();
  }

  /** Whether its probes say that a pod is ready, as the node reports them. */
  static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  long ready(Part part) {
    return pods(part).stream().filter(Deployed::isReady).count();
  }

  /** Who holds the lease of a program; empty if nobody does. */
  String holder(Part part) {
    var lease =
        kube.resources(Lease.class).inNamespace(part.namespace()).withName(part.objectName()).get();
    var holder = lease == null ? null : lease.getSpec().getHolderIdentity();
    return holder == null ? "" : holder;
  }

  /** The pod that leads; waits while a lease is handed over. */
  Pod leader(Part part) {
    await("a live " + part + " leads", Duration.ofSeconds(60), () -> leads(part).isPresent());
    return leads(part).orElseThrow();
  }

  private Optional<Pod> leads(Part part) {
    var holder = holder(part);
    return pods(part).stream()
        .filter(p -> holder.startsWith(p.getMetadata().getName()))
        .findFirst();
  }

  /** How often the container of a pod was started again. */
  int restarts(Pod pod) {
    var now = kube.resource(pod).get();
    return now == null ? 0 : now.getStatus().getContainerStatuses().getFirst().getRestartCount();
  }

  /** Asks the Eviction API; false if a budget refuses. */
  boolean evict(Pod pod) {
    return once.pods()
        .inNamespace(pod.getMetadata().getNamespace())
        .withName(pod.getMetadata().getName())
        .evict();
  }

  void minRunners(int count) {
    kube.resources(AutoScalingRunnerSet.class)
        .inNamespace(TEAM)
        .withName(SET)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"minRunners\":" + count + "}}");
  }

  /** Uninstalls the set, and waits until it is gone. */
  void deleteSet() {
    helm("uninstall", SET, "-n", TEAM);
    await("the set is gone", Duration.ofSeconds(60), () -> set() == null);
  }

  List<UUID> submit(JobRequest jobs) {
    return service.control().submit(jobs);
  }

  private List<JobView> jobs(List<UUID> ids) {
    return service.control().jobs().stream().filter(job -> ids.contains(job.id())).toList();
  }

  /** Waits until these jobs have ended, all with success. */
  void awaitDone(List<UUID> ids, Duration atMost) {
    await(
        "the jobs are done",
        atMost,
        () -> jobs(ids).stream().allMatch(job -> job.state().equals("COMPLETED")),
        () -> service.control().jobCounts().toString());
    for (var job : jobs(ids)) {
      if (!job.result().equals("succeeded")) {
        throw new AssertionError(job);
      }
    }
  }

  /** The longest time that one of these jobs was queued before it started. */
  Duration longestWait(List<UUID> ids) {
    return jobs(ids).stream()
        .map(job -> Duration.between(job.queued(), job.started()))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** What the node did since then. */
  List<Happening> happenings(Instant since, Happening.Kind kind) {
    return node.happenings().stream()
        .filter(h -> h.kind() == kind && h.at().isAfter(since))
        .toList();
  }

  /** Runners at the service that wait for a job. */
  long idle() {
    return service.control().runners().stream().filter(r -> r.state().equals("IDLE")).count();
  }

  /** Waits until it is so; the time it took. */
  Duration await(String what, Duration atMost, BooleanSupplier done) {
    return await(what, atMost, done, () -> "");
  }

  Duration await(String what, Duration atMost, BooleanSupplier done, Supplier<String> otherwise) {
    var begin = clock.instant();
    while (!done.getAsBoolean()) {
      if (Duration.between(begin, clock.instant()).compareTo(atMost) > 0) {
        throw new AssertionError(
            "not within " + atMost + ": " + what + "; " + otherwise.get() + "\n" + story());
      }
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
    return Duration.between(begin, clock.instant());
  }

  /** What the node did, and the last lines that each pod printed. */
  String story() {
    var text = new StringBuilder();
    node.happenings().forEach(h -> text.append(h).append('\n'));
    node.happenings().stream()
        .map(Happening::pod)
        .distinct()
        .forEach(pod -> text.append("--- ").append(pod).append('\n').append(lastLines(pod)));
    return text.toString();
  }

  private String lastLines(String pod) {
    try {
      var log = node.logOf(pod);
      var lines = Files.exists(log) ? Files.readAllLines(log) : List.<String>of();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 12), lines.size())) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    node.close();
    runners.close();
    service.close();
    once.close();
    cluster.close();
  }
}
