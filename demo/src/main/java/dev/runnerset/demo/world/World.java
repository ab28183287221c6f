package dev.runnerset.demo.world;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.programs.Program;
import dev.runnerset.demo.programs.ProgramProbe;
import dev.runnerset.demo.programs.Programs;
import dev.runnerset.demo.programs.VirtualDays;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Waiting;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.node.SimulatedNode;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Control;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.JobView;
import dev.runnerset.simulator.service.Options;
import dev.runnerset.simulator.service.RerunView;
import dev.runnerset.simulator.service.Timings;
import dev.runnerset.testcluster.PlainManifests;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The surroundings of one rehearsal, and what a script can do in them. */
public final class World implements AutoCloseable {
  public static final String NAMESPACE = Cluster.NAMESPACE;
  public static final String SET = "linux";

  /** As the limits and the references count. */
  static final Comparator<EphemeralRunner> OLDEST_FIRST =
      Comparator.comparing((EphemeralRunner r) -> r.getMetadata().getCreationTimestamp())
          .thenComparing(r -> r.getMetadata().getName());

  /** The container of the runners, in YAML. */
  public static final String CONTAINER =
      "{name: runner, image: \"ghcr.io/actions/actions-runner:2.338.1\"}";

  /** What the simulated service accepts. */
  public static final String TOKEN = "demo-token";

  private static final Duration SETTLES = Duration.ofSeconds(15);

  private final Cluster cluster;
  private final ActionsServiceServer service;
  private final SimulatedNode node;
  private final KubernetesClient kube;
  private final Program controller;
  private final Program listener;
  private final VirtualDays days;
  private final List<Program> more = new CopyOnWriteArrayList<>();
  private final ProgramProbe probe = ProgramProbe.onFreePort();
  private final Waiting waiting;
  private final Clock clock;
  private final boolean oneNamespace;
  private final Path folder;
  private final List<String> lease;

  /**
   * Starts the service and the node; the programs are started later.
   *
   * @param folder for the logs of the programs
   */
  public World(Cluster cluster, Setting setting, Path folder, Progress progress, Clock clock) {
    this.cluster = cluster;
    oneNamespace = setting.oneNamespace();
    waiting = new Waiting(progress, clock);
    this.folder = folder;
    this.clock = clock;
    kube = new KubernetesClientBuilder().withConfig(cluster.admin()).build();
    var timings = Timings.defaults().withRunLease(setting.jobLease());
    service = ActionsServiceServer.start(Options.accepting(TOKEN).withTimings(timings), clock);
    node = SimulatedNode.start(cluster.admin(), setting.nodeOptions());
    lease = setting.leaseFlags();
    var flags = new ArrayList<>(lease);
    flags.addAll(setting.controllerFlags());
    var kubeconfig = cluster.controllerKubeconfig();
    var daysFile = folder.resolve("days");
    var log = folder.resolve("controller.log");
    days = new VirtualDays(daysFile, clock);
    controller =
        setting.days()
            ? Programs.controllerInDays(daysFile, kubeconfig, log, probe, flags)
            : Programs.controller(kubeconfig, log, probe, flags);
    listener = listener("listener.log");
    progress.watch(service.control());
  }

  /** What the controller reports of itself. */
  public ProgramProbe probe() {
    return probe;
  }

  /** How many runners are asked for now. */
  public int replicas() {
    var ers = runnerSet();
    return ers == null ? 0 : DesiredRunners.of(ers);
  }

  /** The URL of an organization at the simulated service. */
  public String configUrl(String organization) {
    return service.configUrl(organization).toString();
  }

  public Control service() {
    return service.control();
  }

  /** The cluster as its administrator sees it. */
  public KubernetesClient kube() {
    return kube;
  }

  public SimulatedNode node() {
    return node;
  }

  /** The days of schedules, where the setting says that the controller follows them. */
  public VirtualDays days() {
    return days;
  }

  public Cluster cluster() {
    return cluster;
  }

  public Program controller() {
    return controller;
  }

  public Program listener() {
    return listener;
  }

  /** One more controller, not started; its log has that name. It is closed with the world. */
  public Program moreControllers(String name) {
    var one = controller(name + ".log");
    more.add(one);
    return one;
  }

  /** One more listener, not started; its log has that name. It is closed with the world. */
  public Program moreListeners(String name) {
    var one = listener(name + ".log");
    more.add(one);
    return one;
  }

  private Program controller(String log) {
    var kubeconfig = cluster.controllerKubeconfig();
    return Programs.controller(kubeconfig, folder.resolve(log), ProgramProbe.onFreePort(), lease);
  }

  private Program listener(String log) {
    return Programs.listener(cluster.listenerKubeconfig(), folder.resolve(log), lease);
  }

  public Rollouts rollouts() {
    return new Rollouts(this);
  }

  public Clock clock() {
    return clock;
  }

  public Instant now() {
    return clock.instant();
  }

  /** Starts both programs, makes the set, and waits until it is ready for jobs. */
  public void begin(int minRunners, int maxRunners) {
    start();
    make(minRunners, maxRunners);
    awaitReady(minRunners);
  }

  /** Starts both programs. */
  public void start() {
    controller.start();
    listener.start();
  }

  /** Makes what the set needs. */
  public void prepare() {
    prepare(NAMESPACE);
  }

  /** Makes what sets in that namespace need. */
  public void prepare(String namespace) {
    kube.resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .createOr(existing -> existing.update());
    if (!oneNamespace) {
      admit(namespace);
    }
    kube.resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName("github")
                .withNamespace(namespace)
                .endMetadata()
                .addToStringData("github_token", TOKEN)
                .build())
        .createOr(existing -> existing.update()); // left by an earlier rehearsal
  }

  /** Makes the set, and what it needs. */
  public void make(int minRunners, int maxRunners) {
    prepare();
    makeSet(SET, minRunners, maxRunners);
  }

  /** Makes a set of that name, which uses the same secret as the others. */
  public void makeSet(String name, int minRunners, int maxRunners) {
    makeSet(
        name,
        configUrl("my-org"),
        "minRunners: %d, maxRunners: %d".formatted(minRunners, maxRunners),
        CONTAINER);
  }

  /**
   * The same with other fields.
   *
   * @param fields of the spec, as {@code maxRunners: 2}
   * @param containers as {@link #CONTAINER}
   */
  public void makeSet(String name, String url, String fields, String containers) {
    makeSet(NAMESPACE, name, url, fields, containers);
  }

  /** The same in another namespace. */
  public void makeSet(String namespace, String name, String url, String fields, String containers) {
    var yaml =
        """
        ---
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: %s, namespace: %s}
        spec: {githubConfigUrl: "%s", githubConfigSecret: {name: github}, %s, template: {spec: {containers: [%s]}}}
        """
            .formatted(name, namespace, url, fields, containers);
    var set = kube.getKubernetesSerialization().unmarshal(yaml, AutoScalingRunnerSet.class);
    kube.resource(set).create();
  }

  /** Lets the controller work in a namespace that exists, as an administrator does. */
  public void admit(String namespace) {
    var yaml = PlainManifests.ofSetNamespace(namespace);
    for (var object : kube.load(new ByteArrayInputStream(yaml.getBytes(UTF_8))).items()) {
      kube.resource(object).createOr(there -> there.update());
    }
  }

  /** Puts into the set's status what an earlier controller left there. */
  public void leaveStatus(JsonNode status) {
    var set = Resource.of(AutoScalingRunnerSet.class, NAMESPACE, SET);
    var _ = new KubeApi(kube).mergeStatus(AutoScalingRunnerSet.class, set, status);
  }

  /** Waits until the set takes jobs, and its warm runners wait for them. */
  public void awaitReady(int minRunners) {
    awaitListening(SET);
    if (minRunners > 0) {
      awaitIdle(minRunners);
    }
  }

  /** Waits until the listener polls for the set of that name. */
  public void awaitListening(String name) {
    awaitSession(name, Set.of(), Duration.ofSeconds(60));
  }

  /** Ends both programs as a crash does, and starts them; the set is then polled anew. */
  public void crash(String name, Duration atMost) {
    var before = polledSessions(name);
    for (var program : List.of(controller, listener)) {
      program.kill();
      program.start();
    }
    awaitSession(name, before, atMost);
  }

  private void awaitSession(String name, Set<String> otherThan, Duration atMost) {
    await(
        "the set " + name + " is ready",
        atMost,
        () -> !otherThan.containsAll(polledSessions(name)),
        this::readyMessage);
  }

  /** The session of the scale set of that name, if somebody has polled in it. */
  private Set<String> polledSessions(String name) {
    return service.control().scaleSets().stream()
        .filter(s -> s.name().equals(name) && s.sessionId() != null && s.capacity() != null)
        .map(s -> String.valueOf(s.sessionId()))
        .collect(Collectors.toSet());
  }

  /** What the set says of itself. */
  public String readyMessage() {
    var set = set();
    if (set == null || set.getStatus() == null) {
      return "the set has no status yet";
    }
    return set.getStatus().conditions().stream()
        .map(c -> c.getType() + "=" + c.getStatus() + " " + c.getReason() + ": " + c.getMessage())
        .reduce((a, b) -> a + "; " + b)
        .orElse("the set has no conditions yet");
  }

  /** The set as it is in the cluster; null when there is none. */
  public @Nullable AutoScalingRunnerSet set() {
    return kube.resources(AutoScalingRunnerSet.class).inNamespace(NAMESPACE).withName(SET).get();
  }

  /** What the set says; nothing while there is none. */
  public AutoScalingRunnerSetStatus status() {
    var set = set();
    return set == null ? AutoScalingRunnerSetStatus.NONE : set.statusOrNone();
  }

  /** What its runners are made of; null when there is none. */
  public @Nullable EphemeralRunnerSet runnerSet() {
    return kube.resources(EphemeralRunnerSet.class).inNamespace(NAMESPACE).withName(SET).get();
  }

  /** Its runners, oldest first. */
  public List<EphemeralRunner> runners() {
    return kube
        .resources(EphemeralRunner.class)
        .inNamespace(NAMESPACE)
        .withLabel(Labels.SET, SET)
        .list()
        .getItems()
        .stream()
        .sorted(OLDEST_FIRST)
        .toList();
  }

  /** Changes how many idle runners the set keeps. */
  public void minRunners(int count) {
    spec("{\"minRunners\":" + count + "}");
  }

  /** Merges into the set's spec. */
  public void spec(String merge) {
    kube.resources(AutoScalingRunnerSet.class)
        .inNamespace(NAMESPACE)
        .withName(SET)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":" + merge + "}");
  }

  /** Merges into a runner, unless it is gone. */
  public void mergeRunner(String name, String merge) {
    var runner = kube.resources(EphemeralRunner.class).inNamespace(NAMESPACE).withName(name);
    try {
      runner.patch(PatchContext.of(PatchType.JSON_MERGE), merge);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 404) {
        throw e;
      }
    }
  }

  /** The nodes that there are, by name. */
  public List<String> nodes() {
    return kube.nodes().list().getItems().stream()
        .map(each -> each.getMetadata().getName())
        .sorted()
        .toList();
  }

  /** Says whether a node takes pods. */
  public void cordon(String name, boolean is) {
    kube.nodes()
        .withName(name)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"unschedulable\": " + is + "}}");
  }

  /** A machine dies: its node and its pods go, and no runner there says a word any more. */
  public void loseNode(String name) {
    kube.nodes().withName(name).withGracePeriod(0).delete();
    kube.pods().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(pod -> name.equals(pod.getSpec().getNodeName()))
        .forEach(pod -> kube.resource(pod).withGracePeriod(0).delete());
  }

  /** The events of that reason in the namespace of the set. */
  public List<Event> events(String reason) {
    return kube.v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(event -> reason.equals(event.getReason()))
        .toList();
  }

  /** What the service ran again. */
  public List<RerunView> reruns() {
    return service.control().runs().reruns();
  }

  /** Reports what became of each runner from now on. */
  public RunnerLives watchRunners() {
    return new RunnerLives(kube, NAMESPACE, clock);
  }

  /** Lets each job that runs end well now. */
  public void endJobs() {
    jobsThatRun().forEach(job -> node.finishJob(NAMESPACE, job.runnerName()));
  }

  /** The same with one of them. */
  public void endOneJob() {
    jobsThatRun().limit(1).forEach(job -> node.finishJob(NAMESPACE, job.runnerName()));
  }

  private Stream<JobView> jobsThatRun() {
    return service.control().jobs().stream()
        .filter(job -> job.started() != null && job.completed() == null);
  }

  public void submit(int count, Duration length) {
    service.control().submit(JobRequest.of(count, SET, length));
  }

  /** Jobs that their runner carries out in order, and that end as failed. */
  public void submitFailing(int count, Duration length) {
    service.control().submit(JobRequest.of(count, SET, length).withResult("failed"));
  }

  public void submitSpread(int count, Duration length, Duration over) {
    service.control().submit(JobRequest.of(count, SET, length).withSpread(over));
  }

  public void awaitJobsDone(Duration atMost) {
    await(
        "all jobs are done",
        atMost,
        () -> {
          var jobs = service.control().jobCounts();
          return jobs.completed() == jobs.submitted();
        },
        () -> service.control().jobCounts() + "; " + readyMessage());
  }

  public void awaitBusy(int count) {
    await("runners are busy", Duration.ofSeconds(60), () -> busy() >= count, this::registrations);
  }

  public void awaitIdle(int count) {
    await("runners are idle", Duration.ofSeconds(60), () -> idle() >= count, this::registrations);
  }

  /** Waits until there are exactly so many idle runners, as after a scale-down. */
  public void awaitIdleDownTo(int count, Duration atMost) {
    await("idle runners go", atMost, () -> idle() <= count, this::registrations);
  }

  public int busy() {
    return state("BUSY");
  }

  public int idle() {
    return state("IDLE");
  }

  private int state(String state) {
    return (int) service.control().runners().stream().filter(r -> r.state().equals(state)).count();
  }

  private String registrations() {
    return "idle " + idle() + ", busy " + busy() + "; " + readyMessage();
  }

  /** Waits until nothing of any runner is left at the service and in the cluster. */
  public void awaitNoRunners(Duration atMost) {
    await(
        "every runner is gone",
        atMost,
        () -> service.control().runners().isEmpty() && pods() == 0,
        () -> registrations() + "; pods " + pods());
  }

  private int pods() {
    return (int) node.timings().stream().filter(t -> t.gone() == null).count();
  }

  /** Deletes the set and waits until it is gone, its scale set with it. */
  public void deleteSet() {
    deleteSet(SET);
  }

  /** The same of the set of that name. */
  public void deleteSet(String name) {
    var set = kube.resources(AutoScalingRunnerSet.class).inNamespace(NAMESPACE).withName(name);
    var _ = set.delete();
    await(
        "the set is deleted",
        Duration.ofSeconds(60),
        () ->
            set.get() == null
                && service.control().scaleSets().stream().noneMatch(s -> s.name().equals(name)),
        () -> "scale sets " + service.control().scaleSets() + "; " + readyMessage());
  }

  /** Lets time pass, with its progress shown. */
  public void pass(Duration time) {
    waiting.pass(time);
  }

  public void await(
      String what, Duration atMost, BooleanSupplier done, Supplier<String> otherwise) {
    waiting.await(what, atMost, done, otherwise);
  }

  /** Waits for what should come soon; when it does not, the checks find what is there instead. */
  public void settle(BooleanSupplier done) {
    settle(SETTLES, done);
  }

  public void settle(Duration atMost, BooleanSupplier done) {
    waiting.settle(atMost, done);
  }

  @Override
  public void close() {
    var parts = new ArrayList<AutoCloseable>(more);
    parts.addAll(List.of(listener, controller, node, service, kube));
    for (var part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        System.err.println("while stopping: " + e.getMessage());
      }
    }
  }
}
