package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.service.JobRequest;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The lifetime of pods, through the whole controller (RN22). */
final class LifetimeIT {
  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private List<EphemeralRunner> running() {
    return world.runners().stream().filter(r -> r.statusOrNone().idleSince() != null).toList();
  }

  private Set<String> idle() {
    return running().stream()
        .filter(r -> !r.statusOrNone().isBusy())
        .map(r -> r.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  private List<EphemeralRunner> busy() {
    return running().stream().filter(r -> r.statusOrNone().isBusy()).toList();
  }

  private PodResource pod(String name) {
    return world.kube.pods().inNamespace(ControllerWorld.NAMESPACE).withName(name);
  }

  /** A node took its pod so long ago. */
  private void takenBefore(EphemeralRunner runner, Duration time) {
    world.patch(
        runner, "{\"timeline\": {\"scheduled\": \"%s\"}}".formatted(world.now().minus(time)));
  }

  /** What a kubelet writes when the time of a pod is over, and its container has ended. */
  private void endByItsDeadline(String name) {
    pod(name)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            """
            {"status": {"phase": "Failed", "reason": "DeadlineExceeded",
              "message": "Pod was active on the node longer than the specified deadline",
              "containerStatuses": [{"name": "runner", "ready": false, "restartCount": 0,
                "image": "i", "imageID": "", "state": {"terminated": {"exitCode": 137}}}]}}
            """);
  }

  private boolean counts(String metric, String label) {
    return world
        .metrics()
        .lines()
        .anyMatch(line ->
            line.startsWith(metric)
                && line.contains(label)
                && Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) > 0);
  }

  @Test
  void rn22IdleRunnersAreReplacedAtHalfOfTheirTimeAndTheKubeletEndsAJobAtItsEnd() {
    world.startNode();
    world.start();
    world.create("linux", "minRunners: 2", "maxRunners: 10", "maxLifetime: 2h");
    world.soon("a listener may connect").until(() -> world.listener("linux").isPresent());
    try (var _ = new PlayedListener(world, "linux")) {
      world.soon("two are idle").until(() -> idle().size() == 2);
      idle()
          .forEach(name ->
              assertThat(pod(name).get().getSpec().getActiveDeadlineSeconds()).isEqualTo(7200));
      world.control.submit(JobRequest.of(1, "linux", Duration.ofSeconds(600)));
      world.soon("one is busy").until(() -> busy().size() == 1 && idle().size() == 2);
      var withJob = busy().getFirst().getMetadata().getName();
      var first = idle();

      running().forEach(runner -> takenBefore(runner, Duration.ofMinutes(61)));
      world
          .soon("both idle ones are replaced")
          .until(() -> idle().size() == 2 && idle().stream().noneMatch(first::contains));
      assertThat(busy()).extracting(r -> r.getMetadata().getName()).containsExactly(withJob);
      assertThat(counts("runnerset_runners_garbage_collected_total", "lifetime")).isTrue();
      assertThat(world.control.violations()).isEmpty();

      endByItsDeadline(withJob);
      world
          .within(Duration.ofSeconds(90), "its job is lost by its lifetime")
          .until(() -> counts("runnerset_jobs_lost_total", "cause=\"lifetime\""));
      world
          .soon("an event says so on runner and set")
          .until(() -> world.events("JobLost").size() == 2);
      assertThat(world.events("JobLost")).allMatch(message -> message.contains("DeadlineExceeded"));
      var lost =
          world.runners().stream()
              .filter(r -> r.getMetadata().getName().equals(withJob))
              .findFirst()
              .orElseThrow();
      assertThat(lost.statusOrNone().failure().jobLostBy()).isEqualTo("lifetime");
    }
  }
}
