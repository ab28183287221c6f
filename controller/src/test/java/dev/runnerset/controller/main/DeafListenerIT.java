package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.JobRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Jobs that begin and end while nobody hears of them. */
final class DeafListenerIT {
  private static final int JOBS = 20;

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private Set<String> runnersOf(String set) {
    return world.runners().stream()
        .filter(r -> set.equals(r.getMetadata().getLabels().get(Labels.SET)))
        .map(r -> r.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  private List<EphemeralRunner> failed(String set) {
    return world.runners().stream()
        .filter(r -> set.equals(r.getMetadata().getLabels().get(Labels.SET)))
        .filter(r -> r.statusOrNone().failure() != null)
        .toList();
  }

  @Test
  void runnersThatDidTheirJobsUnheardAreNoFailuresAndThoseThatDidNoneAre() {
    world.start();
    world.startNode();
    world.podFaults(pod ->
        pod.startsWith("broken-") ? Optional.of(new PodFault.ExitsEarly(0)) : Optional.empty());
    world.create("linux");
    world.create("broken");
    world.spec("linux", "maxRunners: 60");
    world.awaitCondition("linux", "Registered", "True", "Registered");
    world.control.submit(JobRequest.of(JOBS, "linux", Duration.ofSeconds(1)));
    world.hearNothing("linux", JOBS);
    world.listenerConnects("linux");
    world.listenerFails("linux");
    world.demand("linux", JOBS, 1);
    world.listenerConnects("broken");
    world.demand("broken", 1, 1);

    await("the jobs are done").until(() -> world.control.jobCounts().completed() == JOBS);
    var first = runnersOf("linux");
    assertThat(first).hasSize(JOBS);
    world
        .within(Duration.ofSeconds(60), "their runners go, and others come in their place")
        .until(() -> {
          assertThat(failed("linux")).isEmpty();
          var now = runnersOf("linux");
          return now.size() == JOBS && now.stream().noneMatch(first::contains);
        });
    world.awaitCondition("broken", "RunnersFailing", "True", "BackOff");
    assertThat(world.condition("broken", "RunnersFailing").orElseThrow().getMessage())
        .contains("ExitedWithoutJob");

    world.listenerConnects("linux");
    world.demand("linux", 2 * JOBS, 2);
    await("the set goes on at once")
        // less than the two minutes after which a pass comes by itself
        .atMost(Duration.ofSeconds(15))
        .until(() -> runnersOf("linux").size() == 2 * JOBS);
    world.awaitNoCondition("linux", "RunnersFailing");
    assertThat(world.control.violations()).isEmpty();
  }
}
