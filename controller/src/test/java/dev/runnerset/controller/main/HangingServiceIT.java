package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service that hangs beside a healthy one: docs/adr/0015. */
class HangingServiceIT {
  /** Less than one call may take, so that no end of a call can have helped. */
  private static final Duration SOON = Duration.ofSeconds(10);

  @AutoClose private final ControllerWorld world = new ControllerWorld();
  private final ActionsServiceServer hanging = world.anotherService();

  @BeforeEach
  void start() {
    world.start();
    world.startNode();
  }

  @Test
  void aJobOfASetAtAHealthyServiceIsDoneWhileAHundredRunnersWaitForOneThatHangs() {
    world.createAt(hanging.configUrl("my-org").toString(), "stuck", "maxRunners: 100");
    world.create("well");
    world.awaitCondition("stuck", "Registered", "True", "Registered");
    world.awaitCondition("well", "Registered", "True", "Registered");
    hanging.control().faults(FaultPlan.NONE.withHttp(HttpFault.hang("generatejitconfig")));
    await().until(() -> world.listener("stuck").isPresent());
    world.demand("stuck", 100, 1);
    await("calls that the service holds")
        .atMost(SOON)
        .until(() -> hanging.control().counters().getOrDefault("generatejitconfig", 0L) >= 2);
    await("no more of them before one is answered (CN3)")
        .during(Duration.ofSeconds(1)) // less than the 20 s after which its calls end
        .atMost(SOON)
        .until(() -> hanging.control().counters().get("generatejitconfig") == 2);

    world.control.submit(JobRequest.of(1, "well", Duration.ofMillis(100)));
    try (var listener = world.client("listener")) {
      poll(listener);
      world.demand("well", 1, 1);
      await("the job").atMost(SOON).until(() -> world.control.jobCounts().completed() == 1);
    }
  }

  /** Its first call has not ended yet. */
  @Test
  void aNewSetOfAServiceThatNeverAnswersTellsAtOnceWhomItAsks() {
    hanging.control().faults(FaultPlan.NONE.withHttp(HttpFault.hang("*")));
    world.create("well"); // so that the controller leads
    world.awaitCondition("well", "Registered", "True", "Registered");
    world.createAt(hanging.configUrl("my-org").toString(), "stuck");
    await("the condition")
        .atMost(SOON)
        .until(() ->
            world
                .condition("stuck", "Registered")
                .filter(condition -> "Unknown".equals(condition.getStatus()))
                .filter(condition -> "Registering".equals(condition.getReason()))
                .isPresent());
    assertThat(world.condition("stuck", "Ready").orElseThrow().getReason())
        .isEqualTo("Registering");
  }

  /** Its call may take 20 s with everything: then the status says so. */
  @Test
  void aServiceThatNeverAnswersIsReportedOnTheSet() {
    hanging.control().faults(FaultPlan.NONE.withHttp(HttpFault.hang("*")));
    world.createAt(hanging.configUrl("my-org").toString(), "stuck");
    await("the condition")
        .atMost(Duration.ofSeconds(45))
        .until(() ->
            world
                .condition("stuck", "Registered")
                .filter(condition -> "ServiceUnavailable".equals(condition.getReason()))
                .isPresent());
  }

  /** The service gives its job to the set, as it does when a listener polls. */
  private void poll(ActionsService listener) {
    var id = world.control.scaleSets().getFirst().id();
    if (!(listener.openSession(new ScaleSetId(id), "test")
        instanceof OpenSessionResult.Opened(var session))) {
      throw new AssertionError("no session");
    }
    try (session) {
      var _ = session.poll(0, 5);
    }
    assertThat(world.control.jobCounts().assigned()).isEqualTo(1);
  }
}
