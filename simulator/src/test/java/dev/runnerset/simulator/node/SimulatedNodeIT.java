package dev.runnerset.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import dev.runnerset.simulator.service.ServiceClient;
import dev.runnerset.simulator.service.Timings;
import dev.runnerset.simulator.service.Violation;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole loop: a job of the service is worked off by a pod of the API server on the node. */
final class SimulatedNodeIT {
  private final List<AutoCloseable> open = new ArrayList<>();
  private ActionsServiceServer service;
  private ServiceClient client;
  private KubernetesClient kube;
  private Config config;
  private SimulatedNode node;
  private int set;
  private ServiceClient.Session session;

  @BeforeEach
  void start() throws Exception {
    var timings = Timings.defaults().withRunLease(Duration.ofSeconds(3));
    service =
        ActionsServiceServer.start(
            Options.accepting(ServiceClient.TOKEN).withTimings(timings), Clock.systemUTC());
    open.add(service);
    var api = KubeApiServer.start(0, Clock.systemUTC());
    open.add(api);
    config = Config.fromKubeconfig(api.kubeconfig());
    kube = new KubernetesClientBuilder().withConfig(config).build();
    open.add(kube);
    client = new ServiceClient(service);
    client.login();
    set = client.createSet("linux");
    session = client.session(set);
  }

  @AfterEach
  void stop() throws Exception {
    for (var closeable : open.reversed()) {
      closeable.close();
    }
  }

  private void startNode(NodeOptions options) {
    node = SimulatedNode.start(config, options);
    open.add(node);
  }

  private static NodeOptions quick() {
    return NodeOptions.defaults().withDelays(Duration.ofMillis(20), Duration.ofMillis(20));
  }

  private void submit(Duration duration) {
    service.control().submit(JobRequest.of(1, "linux", duration));
    assertThat(client.send(client.poll(session, 0, 10)).status()).isEqualTo(200);
  }

  private void createRunner(String name) {
    var blob = client.jit(set, name).get("encodedJITConfig").asText();
    kube.secrets()
        .inNamespace("default")
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToStringData("jit", blob)
                .build())
        .create();
    createPod(name, name);
  }

  private void createPod(String name, String secret) {
    kube.pods()
        .inNamespace("default")
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of("app.kubernetes.io/component", "runner"))
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("runner")
                .withImage("runner:1")
                .addNewEnv()
                .withName("ACTIONS_RUNNER_INPUT_JITCONFIG")
                .withNewValueFrom()
                .withNewSecretKeyRef("jit", secret, false)
                .endValueFrom()
                .endEnv()
                .endContainer()
                .endSpec()
                .build())
        .create();
  }

  private Optional<Pod> pod(String name) {
    return Optional.ofNullable(kube.pods().inNamespace("default").withName(name).get());
  }

  private String phase(String name) {
    return pod(name).map(p -> p.getStatus().getPhase()).orElse("gone");
  }

  private int exitCode(String name) {
    return pod(name)
        .orElseThrow()
        .getStatus()
        .getContainerStatuses()
        .getFirst()
        .getState()
        .getTerminated()
        .getExitCode();
  }

  private long running() {
    return service.control().jobCounts().running();
  }

  private List<Violation.Kind> violations() {
    return service.control().violations().stream().map(Violation::kind).toList();
  }

  @Test
  void aJobIsWorkedOffByThePodOfItsRunner() throws Exception {
    startNode(quick());
    submit(Duration.ofMillis(200));
    createRunner("r1");
    await(() -> phase("r1").equals("Succeeded"));
    assertThat(exitCode("r1")).isZero();
    assertThat(pod("r1").orElseThrow().getSpec().getNodeName()).isEqualTo("simulated-node");
    var job = service.control().jobs().getFirst();
    assertThat(job.result()).isEqualTo("succeeded");
    assertThat(job.runnerName()).isEqualTo("r1");
    assertThat(service.control().runners()).isEmpty();
    var messages = new ArrayList<String>();
    ServiceClient.inner(client.send(client.poll(session, 0, 10)))
        .forEach(m -> messages.add(m.get("messageType").asText()));
    ServiceClient.inner(client.send(client.poll(session, 100_000_001, 10)))
        .forEach(m -> messages.add(m.get("messageType").asText()));
    assertThat(messages).containsExactly("JobAssigned", "JobStarted", "JobCompleted");
    assertThat(violations()).isEmpty();
    kube.pods().inNamespace("default").withName("r1").delete();
    await(() -> node.timings().getFirst().gone() != null);
    var timing = node.timings().getFirst();
    assertThat(timing.created()).isBeforeOrEqualTo(timing.bound());
    assertThat(timing.running()).isBeforeOrEqualTo(timing.finished());
  }

  @Test
  void aBusyRunnerCannotBeRemovedAndRefusalsBeyondTheBudgetAreViolations() throws Exception {
    startNode(quick());
    submit(Duration.ofSeconds(30));
    createRunner("r1");
    await(() -> running() == 1);
    var path = ServiceClient.AGENTS + "/" + service.control().runners().getFirst().id();
    for (int i = 0; i < 2; i++) {
      var refused = client.admin("DELETE", path, "");
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.json().get("typeName").asText()).contains("JobStillRunningException");
    }
    assertThat(violations()).isEmpty();
    client.admin("DELETE", path, "");
    assertThat(violations()).isNotEmpty().containsOnly(Violation.Kind.USELESS_REMOVE);
    assertThat(service.control().counters()).containsEntry("removeRunner.useless", 3L);
  }

  @Test
  void aRunnerMayLingerAsBusyAfterItsJob() throws Exception {
    startNode(quick());
    service.control().faults(FaultPlan.NONE.withLinger(Duration.ofSeconds(5)));
    submit(Duration.ofMillis(100));
    createRunner("r1");
    await(() -> service.control().jobCounts().completed() == 1);
    var path = ServiceClient.AGENTS + "/" + service.control().runners().getFirst().id();
    assertThat(client.admin("DELETE", path, "").status()).isEqualTo(400);
    await(() -> service.control().runners().isEmpty());
    assertThat(client.admin("DELETE", path, "").status()).isEqualTo(204);
  }

  @Test
  void aLongJobIsRenewedBeyondItsLease() throws Exception {
    startNode(quick());
    submit(Duration.ofSeconds(5));
    createRunner("r1");
    await(() -> phase("r1").equals("Succeeded"));
    assertThat(service.control().counters().get("run.renewjob")).isGreaterThan(2);
    assertThat(violations()).isEmpty();
  }

  @Test
  void aJobEndsWhenItIsReportedToAsItWouldHaveEndedLater() throws Exception {
    startNode(quick());
    submit(Duration.ofMinutes(5));
    assertThat(node.finishJob("default", "r1")).as("no such pod").isFalse();
    createRunner("r1");
    await(() -> running() == 1);
    assertThat(node.finishJob("default", "r1")).isTrue();
    await(() -> phase("r1").equals("Succeeded"));
    assertThat(service.control().jobs().getFirst().result()).isEqualTo("succeeded");
    assertThat(violations()).isEmpty();
  }

  @Test
  void deletingThePodOfARunningJobKillsTheJob() throws Exception {
    startNode(quick());
    submit(Duration.ofMinutes(5));
    createRunner("r1");
    await(() -> running() == 1);
    kube.pods().inNamespace("default").withName("r1").delete();
    await(() -> phase("r1").equals("gone"));
    await(() -> violations().equals(List.of(Violation.Kind.JOB_KILLED)));
    assertThat(service.control().jobs().getFirst().result()).isEqualTo("failed");
    assertThat(service.control().jobCounts().lost()).isEqualTo(1);
  }

  @Test
  void aPodThatVanishesTakesItsJobWithItOnceTheLeaseIsOver() throws Exception {
    startNode(quick());
    submit(Duration.ofMinutes(5));
    createRunner("r1");
    await(() -> running() == 1);
    kube.pods().inNamespace("default").withName("r1").withGracePeriod(0).delete();
    await(() -> violations().equals(List.of(Violation.Kind.JOB_KILLED)));
    assertThat(service.control().jobs().getFirst().result()).isEqualTo("failed");
  }

  @Test
  void deletingAnIdlePodLeavesItsRegistrationBehind() throws Exception {
    startNode(quick());
    createRunner("r1");
    // a runner that is stopped before it has read its session's answer cannot end the session
    await(() -> service.control().counters().getOrDefault("runner.getMessage", 0L) > 0);
    kube.pods().inNamespace("default").withName("r1").delete();
    await(() -> phase("r1").equals("gone"));
    await(() -> !service.control().leaks(Duration.ZERO).isEmpty());
    assertThat(violations()).isEmpty();
  }

  @Test
  void aRemovedIdleRunnerEndsByItself() throws Exception {
    startNode(quick());
    createRunner("r1");
    await(() -> service.control().runners().getFirst().state().equals("IDLE"));
    var id = service.control().runners().getFirst().id();
    assertThat(client.admin("DELETE", ServiceClient.AGENTS + "/" + id, "").status()).isEqualTo(204);
    await(() -> phase("r1").equals("Succeeded"));
  }

  @Test
  void aJitConfigurationUsedTwiceIsNoticed() throws Exception {
    startNode(quick());
    createRunner("r1");
    await(() -> service.control().runners().getFirst().state().equals("IDLE"));
    createPod("r2", "r1");
    await(() -> violations().equals(List.of(Violation.Kind.JIT_USED_TWICE)));
  }

  @Test
  void aFullNodeLeavesPodsUnschedulableUntilThereIsRoom() throws Exception {
    startNode(quick().withMaxPods(1));
    createRunner("r1");
    await(() -> phase("r1").equals("Running"));
    createRunner("r2");
    await(() ->
        pod("r2").orElseThrow().getStatus().getConditions().stream()
            .anyMatch(c -> "Unschedulable".equals(c.getReason())));
    kube.pods().inNamespace("default").withName("r1").delete();
    await(() -> phase("r2").equals("Running"));
  }

  @Test
  void aContainerMayRunOnAfterItsJobUntilItsPodIsDeleted() throws Exception {
    startNode(quick());
    node.faults(name -> Optional.of(new PodFault.NeverEnds()));
    submit(Duration.ofMillis(100));
    createRunner("r1");
    await(() -> service.control().runners().isEmpty());
    assertThat(service.control().jobCounts().completed()).isOne();
    assertThat(phase("r1")).isEqualTo("Running");
    kube.pods().inNamespace("default").withName("r1").delete();
    await(() -> pod("r1").isEmpty());
  }

  @Test
  void aRunnerMayConnectLaterThanItsContainerStarts() throws Exception {
    startNode(quick().withOnlineDelay(Duration.ofSeconds(2)));
    createRunner("r1");
    await(() -> phase("r1").equals("Running"));
    assertThat(service.control().runners().getFirst().state()).isEqualTo("OFFLINE");
    await(() -> service.control().runners().getFirst().state().equals("IDLE"));
  }

  @Test
  void podsAreSpreadOverNodesThatTakePods() throws Exception {
    startNode(quick().withNodes(2));
    cordon("simulated-node-1", true);
    awaitPodsOnlyOn("simulated-node-2");
    createRunner("r1");
    await(() -> phase("r1").equals("Running"));
    assertThat(nodesOfPods()).containsEntry("r1", "simulated-node-2");
    cordon("simulated-node-2", true);
    var waiting = new AtomicReference<@Nullable String>();
    await(() -> {
      createRunner("late-" + nodesOfPods().size());
      waiting.set(
          nodesOfPods().keySet().stream()
              .filter(pod -> scheduled(pod).contains("2 node(s) were unschedulable"))
              .findFirst()
              .orElse(null));
      return waiting.get() != null;
    });
    var name = waiting.get();
    kube.pods().inNamespace("default").withName("r1").delete();
    await(() -> phase("r1").equals("gone"));
    cordon("simulated-node-1", false);
    await(() -> phase(name).equals("Running"));
    assertThat(nodesOfPods()).containsEntry(name, "simulated-node-1");
  }

  /** Two pods in a row come to that node: they would go to both in turn otherwise. */
  private void awaitPodsOnlyOn(String node) throws Exception {
    int inARow = 0;
    for (int probe = 0; inARow < 2; probe++) {
      assertThat(probe).as("probes").isLessThan(50);
      var name = "probe-" + probe;
      createRunner(name);
      await(() -> !"none".equals(nodesOfPods().get(name)));
      inARow = node.equals(nodesOfPods().get(name)) ? inARow + 1 : 0;
    }
  }

  private void cordon(String name, boolean is) {
    var patch = "{\"spec\": {\"unschedulable\": " + is + "}}";
    kube.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private Map<String, String> nodesOfPods() {
    var nodes = new HashMap<String, String>();
    for (var pod : kube.pods().inNamespace("default").list().getItems()) {
      var node = pod.getSpec().getNodeName();
      nodes.put(pod.getMetadata().getName(), node == null ? "none" : node);
    }
    return nodes;
  }

  @Test
  void podsFailAsOrdered() throws Exception {
    startNode(quick());
    node.faults(name ->
        switch (name) {
          case "pull" -> Optional.of(new PodFault.ImagePullFails());
          case "early" -> Optional.of(new PodFault.ExitsEarly(7));
          default -> Optional.empty();
        });
    createRunner("pull");
    createRunner("early");
    await(() -> phase("early").equals("Failed") && exitCode("early") == 7);
    await(() ->
        pod("pull").orElseThrow().getStatus().getContainerStatuses().stream()
            .anyMatch(c -> "ImagePullBackOff".equals(c.getState().getWaiting().getReason())));
  }

  @Test
  void whatKeepsAContainerFromStartingIsReportedInTheWordsOfTheKubeletUntilItIsLifted()
      throws Exception {
    startNode(quick());
    var faults = new ConcurrentHashMap<String, PodFault>();
    faults.put("unscheduled", new PodFault.Unschedulable());
    faults.put("pull", new PodFault.ImagePullFails());
    faults.put("config", new PodFault.ConfigFails("configmap \"settings\" not found"));
    faults.put("stuck", new PodFault.StuckCreating());
    node.faults(name -> Optional.ofNullable(faults.get(name)));
    faults.keySet().forEach(this::createRunner);
    await(() -> scheduled("unscheduled").contains("1 Insufficient cpu"));
    await(() -> waiting("pull").startsWith("ImagePullBackOff: Back-off pulling image"));
    await(() ->
        waiting("config").equals("CreateContainerConfigError: configmap \"settings\" not found"));
    await(() -> waiting("stuck").equals("ContainerCreating: null"));
    assertThat(pod("unscheduled").orElseThrow().getSpec().getNodeName()).isNull();
    var stopped = List.copyOf(faults.keySet());
    faults.clear();
    for (var name : stopped) {
      await(() -> phase(name).equals("Running"));
    }
  }

  @Test
  void aRunnerThatCannotConnectTriesUntilItCan() throws Exception {
    startNode(quick());
    node.faults(name -> Optional.of(new PodFault.CannotConnect()));
    createRunner("r1");
    await(() -> phase("r1").equals("Running"));
    LockSupport.parkNanos(500_000_000);
    assertThat(service.control().runners().getFirst().state()).isEqualTo("OFFLINE");
    assertThat(service.control().counters()).doesNotContainKey("runner.token");
    node.faults(name -> Optional.empty());
    await(() -> service.control().runners().getFirst().state().equals("IDLE"));
  }

  @Test
  void aContainerKilledForItsMemorySaysSo() throws Exception {
    startNode(quick());
    node.faults(name -> Optional.of(new PodFault.RunsOutOfMemory()));
    createRunner("r1");
    await(() -> phase("r1").equals("Failed"));
    assertThat(exitCode("r1")).isEqualTo(137);
    assertThat(container("r1").getState().getTerminated().getReason()).isEqualTo("OOMKilled");
  }

  private ContainerStatus container(String name) {
    var statuses = pod(name).orElseThrow().getStatus().getContainerStatuses();
    return statuses.isEmpty() ? new ContainerStatus() : statuses.getFirst();
  }

  private String waiting(String name) {
    var state = container(name).getState();
    return state == null || state.getWaiting() == null
        ? ""
        : state.getWaiting().getReason() + ": " + state.getWaiting().getMessage();
  }

  private String scheduled(String name) {
    return pod(name).orElseThrow().getStatus().getConditions().stream()
        .filter(c -> c.getType().equals("PodScheduled"))
        .map(c -> c.getReason() + ": " + c.getMessage())
        .findFirst()
        .orElse("");
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    for (int i = 0; i < 3_000; i++) {
      if (condition.call()) {
        return;
      }
      LockSupport.parkNanos(10_000_000);
    }
    throw new AssertionError("did not happen within 30 s");
  }
}
