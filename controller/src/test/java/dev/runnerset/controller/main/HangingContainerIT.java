package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.JobRequest;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A container that does not end after the job of its runner, through the whole controller. */
class HangingContainerIT {
  @AutoClose private final ControllerWorld world = new ControllerWorld();
  private final AlertRules alerts = new AlertRules();

  private static boolean isOver(EphemeralRunner runner) {
    var job = runner.statusOrNone().job();
    return job != null && job.completedIn() != null;
  }

  private boolean isReported() {
    return world.condition("linux", "RunnersNotEnding").isPresent();
  }

  /** Reported after 1 minute, removed after 3, and nothing is left over. */
  @Test
  void itIsReportedOfAndThenGoesByTheRemovalPath() {
    world.start();
    world.startNode();
    world.podFaults(pod -> Optional.of(new PodFault.NeverEnds()));
    world.create("linux", "minRunners: 0");
    var listener = new PlayedListener(world, "linux");
    try (listener) {
      world.control.submit(JobRequest.of(1, "linux", Duration.ofMillis(200)));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> world.runners().stream().anyMatch(HangingContainerIT::isOver));
      assertThat(isReported()).isFalse();
      world.pass(Duration.ofSeconds(61));
      world.spec("linux", "maxRunners: 6"); // a jump of the clock wakes nobody
      await().until(this::isReported);
      await("the alert of docs/alerts")
          .until(() -> alerts.fires("RunnersetRunnersNotEnding", world.metrics()));
      assertThat(world.runners()).as("it may still clean up").hasSize(1);
      world.pass(Duration.ofSeconds(125));
      world.spec("linux", "maxRunners: 7");
      await().until(() -> world.runners().isEmpty());
      await().until(() -> !isReported());
      assertThat(world.control.runners()).isEmpty();
      await("no pod is left")
          .until(() ->
              world.kube.pods().inNamespace(ControllerWorld.NAMESPACE).list().getItems().isEmpty());
      assertThat(world.control.violations()).isEmpty();
    }
  }
}
