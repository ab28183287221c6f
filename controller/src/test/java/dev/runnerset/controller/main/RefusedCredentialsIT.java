package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Credentials that the service no longer takes, after it took them. */
class RefusedCredentialsIT {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final ControllerWorld world = new ControllerWorld();

  @BeforeEach
  void start() {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController();
    world.create("linux");
    world.awaitCondition("linux", "Registered", "True", "Registered");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aTokenThatIsRefusedOnceCostsNothingButAnotherOne() {
    world
        .service
        .control()
        .faults(FaultPlan.NONE.withHttp(HttpFault.answer("generatejitconfig", 401, 1)));
    world.demand("linux", 1, 1);
    await("the runner").atMost(SOON).until(() -> world.service.control().runners().size() == 1);
    assertThat(count("runnerRegistration")).isEqualTo(2);
    assertThat(count("generatejitconfig")).as("both in one reconcile").isEqualTo(2);
  }

  @Test
  void aRefusalThatLastsStandsOnTheSetAndGoesWithIt() {
    refuse("generatejitconfig");
    world.demand("linux", 3, 1);
    await("the condition")
        .atMost(SOON)
        .untilAsserted(() -> {
          assertThat(reason("Registered")).isEqualTo("False Unauthorized");
          assertThat(reason("Ready")).isEqualTo("False Unauthorized");
        });
    assertThat(count("runnerRegistration")).as("rate bounded").isEqualTo(2);

    world.service.control().faults(FaultPlan.NONE);
    await("the runners")
        .atMost(Duration.ofSeconds(60))
        .until(() -> world.service.control().runners().size() == 3);
    world.awaitCondition("linux", "Registered", "True", "Registered");
  }

  /**
   * The refused runner is nobody's, so that no event of a child wakes the set: only the connection
   * that both use can.
   */
  @Test
  void aRefusalWakesASetThatNothingElseWakes() {
    refuse("generatejitconfig");
    world.setYaml(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunner
        metadata: {name: alone, namespace: default}
        spec:
          githubConfigUrl: %s
          githubConfigSecret: {name: github}
          runnerScaleSetId: %d
          template: {spec: {containers: [{name: runner, image: runner:1}]}}
        """
            .formatted(world.url(), world.service.control().scaleSets().getFirst().id()));
    await("the second refusal").atMost(SOON).until(() -> count("generatejitconfig") > 2);
    world.awaitCondition("linux", "Registered", "False", "Unauthorized");
    world.service.control().faults(FaultPlan.NONE);
    await("the runner")
        .atMost(Duration.ofSeconds(30))
        .until(() -> world.service.control().runners().size() == 1);
    world.awaitCondition("linux", "Registered", "True", "Registered");
  }

  private void refuse(String endpoint) {
    world.service.control().faults(FaultPlan.NONE.withHttp(HttpFault.answer(endpoint, 401, -1)));
  }

  private String reason(String type) {
    return world
        .condition("linux", type)
        .map(condition -> condition.getStatus() + " " + condition.getReason())
        .orElse("");
  }

  private long count(String endpoint) {
    return world.service.control().counters().getOrDefault(endpoint, 0L);
  }
}
