package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Retention through the whole controller; listener and kubelet are the test. */
final class RetentionIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  @AutoClose private final ControllerWorld world = new ControllerWorld();

  @BeforeEach
  void start() {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
  }

  @Test
  void aLimitOlderThanTheSchemaIsReportedOnTheSet() {
    world.api.apply(Crds.yaml().replace("maximum: 100.0", "maximum: 1000.0"));
    world.create("linux", "retention: {failedLimit: 101}");
    world.startController();
    world.awaitCondition("linux", "RetentionRefused", "True", "InvalidRetention");
    assertThat(world.condition("linux", "RetentionRefused").orElseThrow().getMessage())
        .contains("spec.retention.failedLimit 101");
  }

  @Test
  void theResultOfTheJobDecidesWhichLimitHolds() {
    world.create("linux", "retention: {failedLimit: 1, succeededLimit: 5, outcomeFrom: Job}");
    world.startController();
    world.listenerConnects("linux");
    world.demand("linux", 3, 1);
    world.within(SOON).until(() -> world.kube.pods().list().getItems().size() == 3);

    var runners = world.runners();
    completed(runners.get(0), "failed");
    completed(runners.get(1), "canceled");
    completed(runners.get(2), "succeeded");
    world.demand("linux", 0, 2);
    runners.forEach(this::exited);

    world.within(SOON).until(() -> outcomes().toList().equals(List.of("False", "True")));
    await().during(Duration.ofSeconds(2)).until(() -> world.runners().size() == 2);
    assertThat(world.runners())
        .extracting(runner -> runner.getStatus().phase())
        .as("the phase is the runner's own")
        .containsOnly(RunnerPhase.SUCCEEDED);
    assertThat(world.runners())
        .flatExtracting(runner -> runner.getStatus().conditions())
        .filteredOn(c -> c.getType().equals("Succeeded") && c.getStatus().equals("False"))
        .extracting(Condition::getReason)
        .singleElement()
        .isIn("JobFailed", "JobCanceled");
    assertThat(world.metrics())
        .contains("runnerset_finished_runners_deleted_total{")
        .contains("outcome=\"failed\"")
        .contains("reason=\"limit\"");
  }

  /** What the condition says of each, in order. */
  private Stream<String> outcomes() {
    return world.runners().stream()
        .map(EphemeralRunner::getStatus)
        .filter(Objects::nonNull)
        .flatMap(status -> status.conditions().stream())
        .filter(c -> c.getType().equals("Succeeded"))
        .map(Condition::getStatus)
        .sorted();
  }

  /** What the listener writes of a job, from its start to its completion. */
  private void completed(EphemeralRunner runner, String result) {
    world.patch(
        runner,
        """
        {"jobId": "job", "job": {"completedIn": 2}, "jobResult": "%s"}
        """
            .formatted(result));
  }

  /** What the kubelet writes at the end. */
  private void exited(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    var pod = world.kube.pods().inNamespace(meta.getNamespace()).withName(meta.getName()).require();
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    world.patch(
        pod,
        """
        {"phase": "Succeeded", "containerStatuses": [{"name": "runner", "image": "i",
         "imageID": "", "ready": false, "restartCount": 0,
         "state": {"terminated": {"exitCode": 0, "startedAt": "%s", "finishedAt": "%s"}}}]}
        """
            .formatted(now, now));
  }
}
