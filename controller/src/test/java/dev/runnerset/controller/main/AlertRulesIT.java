package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.features.rollout.RolloutPlanner;
import dev.runnerset.controller.features.shield.ShieldManifests;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The expressions of docs/alerts become true when their problem is caused, and false after it. */
final class AlertRulesIT {
  private final AlertRules rules = new AlertRules();
  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private boolean fires(String alert) {
    return rules.fires(alert, world.metrics());
  }

  private void awaitFiring(String alert, boolean wanted) {
    world.soon(alert + " " + wanted).until(() -> fires(alert) == wanted);
  }

  @Test
  void missingCredentialsAndAMissingListenerFireAndGoWithTheirRepair() {
    world.startController();
    world.create("linux", "minRunners: 0");
    awaitFiring("RunnerSetNotReady", true);
    awaitFiring("RunnerSetNotRegistered", true);
    awaitFiring("RunnerSetNotListening", true);
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    awaitFiring("RunnerSetNotRegistered", false);
    world.listenerConnects("linux");
    awaitFiring("RunnerSetNotListening", false);
    awaitFiring("RunnerSetNotReady", false);
    assertThat(fires("JobsWait")).isFalse();
    world.demand("linux", 9, 7);
    awaitFiring("JobsWait", true);
    world.demand("linux", 0, 8);
    awaitFiring("JobsWait", false);
  }

  private void twoWarmRunners(@Nullable PodFault fault) {
    world.start();
    world.startNode();
    world.podFaults(pod -> Optional.ofNullable(fault));
    world.create("linux", "minRunners: 2");
    world.listenerConnects("linux");
  }

  private void areIdle(int wanted) {
    world
        .soon(wanted + " idle runners")
        .until(() -> counts().filter(c -> c.idle() == wanted).isPresent());
  }

  private Optional<RunnerCounts> counts() {
    return world.hasRunnerSet("linux")
        ? Optional.ofNullable(world.runnerSet("linux").statusOrNone().runners())
        : Optional.empty();
  }

  /** The clock of the controller jumps, which wakes nobody; a change of the set does. */
  private void pass(Duration time, String change) {
    world.pass(time);
    world.spec("linux", change);
  }

  @Test
  void runnersThatDoNotStartFireUntilTheyDo() {
    twoWarmRunners(new PodFault.ImagePullFails());
    awaitFiring("RunnersPending", true);
    world.podFaults(pod -> Optional.empty());
    awaitFiring("RunnersPending", false);
    world
        .soon("each runner's start is observed once")
        .until(() ->
            world
                .metrics()
                .contains(
                    "runnerset_runner_phase_seconds_count{name=\"linux\",namespace=\"default\","
                        + "phase=\"started\"} 2"));
    awaitFiring("RunnerSetNotReady", false);
  }

  @Test
  void runnersThatFailFire() {
    twoWarmRunners(new PodFault.ExitsEarly(1));
    awaitFiring("RunnersFailing", true);
    world
        .soon("it")
        .until(() -> world.metrics().contains("gha_controller_failed_ephemeral_runners{"));
  }

  @Test
  void aSetOfWhichSomeRunnersDoNotStartFiresAsDegraded() {
    twoWarmRunners(null);
    areIdle(2);
    world.podFaults(pod -> Optional.of(new PodFault.ImagePullFails()));
    world.spec("linux", "minRunners: 3");
    awaitFiring("RunnerSetDegraded", true);
    assertThat(fires("RunnerSetNotReady")).as("two runners take jobs").isFalse();
    world.podFaults(pod -> Optional.empty());
    awaitFiring("RunnerSetDegraded", false);
  }

  @Test
  void runnersThatDoNotConnectFire() {
    twoWarmRunners(new PodFault.CannotConnect());
    areIdle(0);
    world
        .soon("their containers run")
        .until(() -> world.runners().stream().filter(AlertRulesIT::isStarted).count() == 2);
    world.counts("linux", 0, 2, 0);
    pass(Duration.ofSeconds(25), "maxRunners: 6");
    world.counts("linux", 0, 2, 0);
    awaitFiring("RunnersNotRegistering", true);
  }

  private static boolean isStarted(EphemeralRunner runner) {
    return runner.statusOrNone().nodeName() != null;
  }

  @Test
  void aRolloutWhoseRunnersDoNotStartFires() {
    twoWarmRunners(null);
    areIdle(2);
    world.counts("linux", 0, 2, 2);
    world.podFaults(pod -> Optional.of(new PodFault.ImagePullFails()));
    world.spec("linux", "template: {spec: {containers: [{name: runner, image: runner:2}]}}");
    world
        .soon("a runner of the new template")
        .until(() -> counts().filter(c -> c.pending() > 0).isPresent());
    pass(RolloutPlanner.OVERDUE.plusSeconds(30), "maxRunners: 6");
    awaitFiring("RolloutStalled", true);
    world.podFaults(pod -> Optional.empty());
    awaitFiring("RolloutStalled", false);
  }

  @Test
  void aJobThatNoIdleRunnerTakesFires() {
    var control = world.control;
    control.faults(FaultPlan.NONE.withHttp(HttpFault.hang("runner.getMessage")));
    twoWarmRunners(null);
    areIdle(2);
    world.spec("linux", "maxRunners: 2");
    var listener = new PlayedListener(world, "linux");
    try (listener) {
      var job = control.submit(JobRequest.of(1, "linux", Duration.ofMillis(200))).getFirst();
      awaitFiring("JobsWait", true);
      pass(Duration.ofSeconds(25), "maxRunners: 3"); // a jump of the clock wakes nobody
      awaitFiring("JobsStranded", true);
      assertThat(control.cancel(job)).isTrue();
      awaitFiring("JobsStranded", false);
    }
  }

  @Test
  void aControllerThatIsNotThereFires() {
    world.startController();
    assertThat(fires("RunnersetControllerDown")).isFalse();
    assertThat(rules.fires("RunnersetControllerDown", "# nothing answers\n")).isTrue();
  }

  @Test
  void aShieldWithoutItsPolicyFires() {
    twoWarmRunners(null);
    awaitFiring("ShieldIncomplete", true);
    ShieldManifests.yaml(
            ControllerSettings.of("test").places(), ControllerSettings.CONTROLLER_SERVICE_ACCOUNT)
        .forEach(world.api::apply);
    pass(Duration.ofSeconds(25), "maxRunners: 6");
    awaitFiring("ShieldIncomplete", false);
  }

  @Test
  void aListenerOfAnotherLevelFires() {
    twoWarmRunners(null);
    assertThat(fires("UpgradeRequired")).isFalse();
    world.patch(
        world.listener("linux").orElseThrow(),
        """
        {"protocolLevel": 9,
         "conditions": [{"type": "Connected", "status": "True", "reason": "Connected",
         "message": "", "lastTransitionTime": "2026-11-21T12:00:00Z"},
         {"type": "MarksDropped", "status": "True", "reason": "RunnerGone",
         "message": "", "lastTransitionTime": "2026-11-21T12:00:00Z"}]}
        """);
    awaitFiring("UpgradeRequired", true);
  }

  @Test
  void aJobThatIsLostWithItsPodFires() {
    twoWarmRunners(null);
    areIdle(2);
    var before = world.metrics();
    var listener = new PlayedListener(world, "linux");
    try (listener) {
      var _ = world.control.submit(JobRequest.of(1, "linux", Duration.ofMinutes(9)));
      world
          .soon("a runner has the job")
          .until(() -> counts().filter(c -> c.busy() == 1).isPresent());
      assertThat(rules.fires("JobLost", before, world.metrics())).isFalse();
      var busy = world.runners().stream().filter(r -> r.statusOrNone().jobId() != null).findFirst();
      var name = busy.orElseThrow().getMetadata().getName();
      world.kube.pods().inNamespace("default").withName(name).withGracePeriod(0).delete();
      world
          .within(Duration.ofSeconds(60), "the loss is counted")
          .until(() -> rules.fires("JobLost", before, world.metrics()));
    }
  }

  @Test
  void retentionThatIsRefusedFires() {
    world.api.apply(Crds.yaml().replace("maximum: 100.0", "maximum: 1000.0"));
    world.start();
    world.create("linux", "retention: {failedLimit: 101}");
    awaitFiring("RetentionRefused", true);
    world.spec("linux", "retention: {failedLimit: 100}");
    awaitFiring("RetentionRefused", false);
  }

  @Test
  void finishedRunnersThatMayNotBeDeletedFire() {
    world.start();
    world.startNode();
    world.podFaults(pod -> Optional.of(new PodFault.ExitsEarly(1)));
    world.create("linux", "minRunners: 2", "retention: {failedLimit: 100}");
    world.listenerConnects("linux");
    world
        .soon("failed runners")
        .until(() ->
            world.runners().stream().filter(r -> r.statusOrNone().failure() != null).count() > 4);
    var before = world.metrics();
    world.api.faults().failNextWrites("ephemeralrunners.runnerset.dev", 403, 10_000);
    world.spec("linux", "retention: {failedLimit: 1}");
    world
        .soon("the refusals are counted")
        .until(() -> rules.fires("FinishedRunnersNotDeleted", before, world.metrics()));
  }
}
