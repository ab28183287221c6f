package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.simulator.service.HttpFault;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Credentials that the service no longer takes, after it took them. */
class RefusedCredentialsIT {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration BAR = Duration.ofSeconds(30);

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  @BeforeEach
  void start() {
    world.start();
    world.create("linux");
    world.awaitCondition("linux", "Registered", "True", "Registered");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  @Test
  void aTokenThatIsRefusedOnceCostsNothingButAnotherOne() {
    world.faults(HttpFault.answer("generatejitconfig", 401, 1));
    world.demand("linux", 1, 1);
    world.within(SOON, "the runner").until(() -> world.control.runners().size() == 1);
    assertThat(count("runnerRegistration")).isEqualTo(2);
    assertThat(count("generatejitconfig")).as("both in one reconcile").isEqualTo(2);
  }

  @Test
  void aRefusalThatLastsStandsOnTheSetAndGoesWithIt() {
    refuse("generatejitconfig");
    world.demand("linux", 3, 1);
    world
        .within(SOON, "the condition")
        .untilAsserted(() -> {
          assertThat(reason("Registered")).isEqualTo("False Unauthorized");
          assertThat(reason("Ready")).isEqualTo("False Unauthorized");
        });
    assertThat(count("runnerRegistration")).as("rate bounded").isEqualTo(2);

    world.faults();
    world
        .within(Duration.ofSeconds(60), "the runners")
        .until(() -> world.control.runners().size() == 3);
    world.awaitCondition("linux", "Registered", "True", "Registered");
  }

  /** The bar: reported within 30 s and gone within 30 s of the repair, whatever the answer is. */
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"403, Forbidden", "500, ServiceUnavailable", "404, NotFound"})
  void whatTheServiceAnswersToRunnersStandsOnTheSet(int status, String reason) {
    var fault = HttpFault.answer("generatejitconfig", status, -1);
    world.faults(fault);
    world.demand("linux", 3, 1);
    world
        .within(BAR, "the condition")
        .untilAsserted(() -> assertThat(reason("Registered")).isEqualTo("False " + reason));
    world.faults();
    world.within(BAR, "the runners").until(() -> world.control.runners().size() == 3);
    world
        .within(BAR, "the condition is gone")
        .untilAsserted(() -> assertThat(reason("Registered")).isEqualTo("True Registered"));
  }

  /** Secondary limits of GitHub come as 403 with Retry-After. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(ints = {429, 403})
  void aRateLimitHoldsForAllRunnersUntilItsTime(int status) {
    var hold = Duration.ofSeconds(12);
    var fault = HttpFault.answer("generatejitconfig", status, -1).withRetryAfter(hold);
    world.faults(fault);
    // no later than the end of the hold, which begins with the answer
    var until = world.now().plus(hold).minusSeconds(1);
    world.demand("linux", 3, 1);
    await("the condition, and its time")
        .untilAsserted(() -> {
          assertThat(reason("Registered")).isEqualTo("False RateLimited");
          assertThat(message("Registered")).contains("before 20");
        });
    long sent = count("generatejitconfig");
    assertThat(sent).as("those that were under way at once").isLessThanOrEqualTo(3);
    world.faults();
    world.clock.passInRounds(
        Duration.between(world.now(), until),
        () ->
            assertThat(count("generatejitconfig"))
                .as("nobody asks before the time")
                .isEqualTo(sent));
    world.within(BAR, "the runners").until(() -> world.control.runners().size() == 3);
    world.awaitCondition("linux", "Registered", "True", "Registered");
  }

  /** Of two sets with one secret the one that is refused says so, and the other does not. */
  @Test
  void whatIsRefusedToOneSetIsNotReportedOfAnother() {
    world.create("other");
    world.awaitCondition("other", "Registered", "True", "Registered");
    world.listenerConnects("other");
    world.awaitCondition("other", "Ready", "True", "Ready");
    refuse("generatejitconfig");
    world.demand("linux", 3, 1);
    world.awaitCondition("linux", "Registered", "False", "Unauthorized");
    assertThat(reason("other", "Registered")).isEqualTo("True Registered");
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
            .formatted(world.url(), world.control.scaleSets().getFirst().id()));
    world.within(SOON, "the second refusal").until(() -> count("generatejitconfig") > 2);
    world.awaitCondition("linux", "Registered", "False", "Unauthorized");
    world.faults();
    world.within(BAR, "the runner").until(() -> world.control.runners().size() == 1);
    world.awaitCondition("linux", "Registered", "True", "Registered");
  }

  private void refuse(String endpoint) {
    world.faults(HttpFault.answer(endpoint, 401, -1));
  }

  private String message(String type) {
    return world.condition("linux", type).map(condition -> condition.getMessage()).orElse("");
  }

  private String reason(String type) {
    return reason("linux", type);
  }

  private String reason(String set, String type) {
    return world
        .condition(set, type)
        .map(condition -> condition.getStatus() + " " + condition.getReason())
        .orElse("");
  }

  private long count(String endpoint) {
    return world.control.counters().getOrDefault(endpoint, 0L);
  }
}
