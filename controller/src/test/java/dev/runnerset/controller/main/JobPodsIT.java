package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.kube.RequestCounters;
import dev.runnerset.simulator.service.JobRequest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the container hooks make for jobs, through the whole controller (SH5, RN23). */
final class JobPodsIT {
  private static final String TEMPLATE =
      """
      apiVersion: runnerset.dev/v1alpha1
      kind: AutoScalingRunnerSet
      metadata: {name: linux, namespace: default}
      spec:
        githubConfigUrl: %s
        githubConfigSecret: {name: github}
        maxRunners: 10
        %s
        template:
          spec:
            containers:
              - name: runner
                image: runner:1
                env: [{name: ACTIONS_RUNNER_CONTAINER_HOOKS, value: /home/runner/k8s/index.js}]
      """;

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private <T extends HasMetadata> List<T> labelled(Class<T> kind) {
    return world
        .kube
        .resources(kind)
        .inNamespace(ControllerWorld.NAMESPACE)
        .withLabel("runner-pod")
        .list()
        .getItems();
  }

  private List<EphemeralRunner> busy() {
    return world.runners().stream().filter(r -> r.statusOrNone().isBusy()).toList();
  }

  private void begin(String... fields) {
    world.startNode();
    world.start();
    world.setYaml(TEMPLATE.formatted(world.url(), String.join("\n  ", fields)));
    world.soon("a listener may connect").until(() -> world.listener("linux").isPresent());
  }

  private void submit(int jobs) {
    world.control.submit(JobRequest.of(jobs, "linux", Duration.ofSeconds(600)));
    world
        .soon("each job has a pod")
        .until(() ->
            busy().size() == jobs
                && labelled(Pod.class).size() == jobs
                && labelled(Secret.class).size() == 2 * jobs
                && labelled(Job.class).size() == jobs);
  }

  private static boolean isShielded(Pod pod) {
    var labels = pod.getMetadata().getLabels();
    var annotations = pod.getMetadata().getAnnotations();
    return "true".equals(labels.get("runnerset.dev/busy"))
        && "linux".equals(labels.get("runnerset.dev/set"))
        && "true".equals(annotations.get("karpenter.sh/do-not-disrupt"))
        && "false".equals(annotations.get("cluster-autoscaler.kubernetes.io/safe-to-evict"));
  }

  private static boolean isOf(HasMetadata object, EphemeralRunner runner) {
    return runner
        .getMetadata()
        .getName()
        .equals(object.getMetadata().getLabels().get("runner-pod"));
  }

  private long requests(String verb, String resource) {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(e -> isBy(e.getKey()) && e.getKey().resource().equals(resource))
        .filter(e -> e.getKey().verb().equals(verb))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static boolean isBy(RequestCounters.Key key) {
    return key.writer().equals(ControllerWorld.WRITER);
  }

  @Test
  void sh5Rn23ThePodsOfJobsAreShieldedAndWhatAKilledRunnerLeavesGoes() {
    begin();
    try (var _ = new PlayedListener(world, "linux")) {
      submit(2);
      world
          .soon("the budget of the set covers both")
          .until(() -> labelled(Pod.class).stream().allMatch(JobPodsIT::isShielded));
      var killed = busy().getFirst();
      var lives = busy().getLast();
      world.api.apply(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: somebody, namespace: default, labels: {runner-pod: %s}}
          spec: {containers: [{name: c, image: i}]}
          """
              .formatted(killed.getMetadata().getName()));
      world.killPod(killed);
      world
          .within(Duration.ofMinutes(3), "all of the killed one is gone")
          .until(() ->
              labelled(Pod.class).stream().filter(p -> isOf(p, killed)).count() == 1
                  && labelled(Secret.class).stream().noneMatch(s -> isOf(s, killed))
                  && labelled(Job.class).stream().noneMatch(j -> isOf(j, killed)));
      assertThat(labelled(Pod.class).stream().filter(p -> isOf(p, killed)))
          .extracting(p -> p.getMetadata().getName())
          .containsExactly("somebody");
      assertThat(labelled(Pod.class).stream().filter(p -> isOf(p, lives))).hasSize(1);
      assertThat(labelled(Secret.class)).hasSize(2);
      assertThat(labelled(Job.class)).hasSize(1);
      world.soon("an event says so").until(() -> !world.events("LeftOverRemoved").isEmpty());
      assertThat(requests("list", "secrets") + requests("watch", "secrets")).isZero();
      assertThat(requests("patch", "jobs.batch")).isZero();
      assertThat(world.metrics().lines())
          .anyMatch(line ->
              line.startsWith("runnerset_left_overs_total")
                  && line.contains("kind=\"pod\"")
                  && line.contains("result=\"removed\"")
                  && line.endsWith(" 2.0"));
    }
  }

  @Test
  void rn17TheEvidenceOfAKilledRunnerHasTheEndOfItsJobsPod() {
    begin();
    try (var _ = new PlayedListener(world, "linux")) {
      submit(1);
      var killed = busy().getFirst();
      world.killPod(killed);
      world
          .within(Duration.ofMinutes(2), "it has failed")
          .until(() ->
              world.runners().stream()
                  .filter(r -> r.getMetadata().getUid().equals(killed.getMetadata().getUid()))
                  .anyMatch(r -> r.statusOrNone().isTerminal()));
      var failure =
          world.runners().stream()
              .filter(r -> r.getMetadata().getUid().equals(killed.getMetadata().getUid()))
              .findFirst()
              .orElseThrow()
              .statusOrNone()
              .failure();
      assertThat(failure.evidence().get("jobPods"))
          .isEqualTo(
              List.of(
                  Map.of(
                      "name",
                      killed.getMetadata().getName() + "-workflow",
                      "phase",
                      "Running",
                      "containers",
                      List.of(Map.of("name", "job", "state", "running")))));
    }
  }

  @Test
  void sh5WithoutProtectionPodsAreLeftAloneAndAChangeReachesThem() {
    begin("protection: None");
    try (var _ = new PlayedListener(world, "linux")) {
      submit(1);
      world.passInRounds(Duration.ofSeconds(5));
      assertThat(labelled(Pod.class).getFirst().getMetadata().getLabels())
          .containsOnlyKeys("runner-pod");
      assertThat(labelled(Pod.class).getFirst().getMetadata().getAnnotations()).isNullOrEmpty();
      world.spec("linux", "protection: Busy");
      world
          .soon("it is shielded")
          .until(() -> labelled(Pod.class).stream().allMatch(JobPodsIT::isShielded));
      world.spec("linux", "protection: None");
      world
          .soon("the budget no longer covers it")
          .until(() -> labelled(Pod.class).stream().noneMatch(JobPodsIT::isShielded));
    }
  }

  /** At an orderly end the hooks delete their pods and secrets, and the controller has no work. */
  @Test
  void rn23TheHooksComeFirst() {
    begin();
    try (var _ = new PlayedListener(world, "linux")) {
      world.control.submit(JobRequest.of(3, "linux", Duration.ofSeconds(2)));
      world.soon("pods come").until(() -> !labelled(Pod.class).isEmpty());
      world.soon("the jobs are done").until(() -> world.runners().isEmpty());
      assertThat(labelled(Pod.class)).isEmpty();
      assertThat(labelled(Secret.class)).isEmpty();
      assertThat(world.events("LeftOverRemoved")).isEmpty();
      world
          .within(Duration.ofMinutes(2), "batch jobs, which the hooks leave, go")
          .until(() -> labelled(Job.class).isEmpty());
    }
  }

  /** The leader that comes knows a runner that is gone by the mark on its pod alone. */
  @Test
  void rn23AnotherLeaderFinishesTheWork() {
    begin();
    String name;
    try (var _ = new PlayedListener(world, "linux")) {
      submit(1);
      world
          .soon("it is marked")
          .until(() -> labelled(Pod.class).stream().allMatch(JobPodsIT::isShielded));
      name = busy().getFirst().getMetadata().getName();
      world.stopController();
    }
    world.killPod(busy().getFirst());
    world
        .kube
        .resources(EphemeralRunner.class)
        .inNamespace(ControllerWorld.NAMESPACE)
        .withName(name)
        .edit(runner -> {
          runner.getMetadata().setFinalizers(List.of());
          return runner;
        });
    world.kube.resources(EphemeralRunner.class).inNamespace("default").withName(name).delete();
    world.startController();
    world
        .within(Duration.ofMinutes(3), "pod, batch job and secrets go")
        .until(() ->
            labelled(Pod.class).isEmpty()
                && labelled(Job.class).isEmpty()
                && labelled(Secret.class).isEmpty());
  }
}
