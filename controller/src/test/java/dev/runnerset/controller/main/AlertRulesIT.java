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
import java.time.Instant;
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
    awaitFiring("RunnersetNotReady", true);
    awaitFiring("RunnersetNotRegistered", true);
    awaitFiring("RunnersetNotListening", true);
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    awaitFiring("RunnersetNotRegistered", false);
    world.listenerConnects("linux");
    awaitFiring("RunnersetNotListening", false);
    awaitFiring("RunnersetNotReady", false);
  }

  /**
   * Rows 10, 14: a wish fulfilled, and a quota, are nobody's alarm; what only a user can mend is.
   */
  @Test
  void aPausedSetFiresNothingAndATemplateThatCannotBeFollowedIsStalled() {
    world.start();
    world.create("linux", "minRunners: 0");
    world.listenerConnects("linux");
    awaitFiring("RunnersetNotReady", false);
    world.spec("linux", "mode: Paused");
    world.awaitCondition("linux", "Ready", "True", "Paused");
    assertThat(fires("RunnersetNotReady") || fires("RunnersetStalled")).isFalse();
    awaitFiring("RunnersetPaused", true);
    world.spec("linux", "template: {spec: {containers: [{name: other, image: i}]}}");
    awaitFiring("RunnersetStalled", true);
    world.spec("linux", "template: {spec: {containers: [{name: runner, image: runner:2}]}}");
    awaitFiring("RunnersetStalled", false);
  }

  @Test
  void aWindowThatCannotBeFollowedFires() {
    world.start();
    world.create("linux", "minRunners: 0");
    var window =
        "schedule: [{name: noon, timeZone: %s, start: '30 13 * * *', duration: 2h, maxRunners: 1}]";
    world.spec("linux", window.formatted("Europe/Berln"));
    awaitFiring("RunnersetScheduleInvalid", true);
    world.spec("linux", window.formatted("Europe/Berlin"));
    awaitFiring("RunnersetScheduleInvalid", false);
  }

  @Test
  void jobsThatWaitFireOnceNoneHasStartedForAQuarterOfAnHour() {
    var now = Instant.parse("2026-11-21T12:00:00Z");
    var series =
        "runnerset_listener_waiting_since_timestamp_seconds{namespace=\"default\",name=\"a\"} ";
    var recently = series + now.minusSeconds(899).getEpochSecond();
    var longAgo = series + now.minusSeconds(901).getEpochSecond();
    assertThat(rules.fires("RunnersetJobsWait", recently, recently, now)).isFalse();
    assertThat(rules.fires("RunnersetJobsWait", longAgo, longAgo, now)).isTrue();
    assertThat(rules.fires("RunnersetJobsWait", series + "NaN", series + "NaN", now)).isFalse();
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
    awaitFiring("RunnersetRunnersPending", true);
    world.podFaults(pod -> Optional.empty());
    awaitFiring("RunnersetRunnersPending", false);
    world
        .soon("each runner's start is observed once")
        .until(() ->
            world
                .metrics()
                .contains(
                    "runnerset_runner_phase_seconds_count{name=\"linux\",namespace=\"default\","
                        + "phase=\"started\"} 2"));
    awaitFiring("RunnersetNotReady", false);
  }

  @Test
  void runnersThatFailFire() {
    twoWarmRunners(new PodFault.ExitsEarly(1));
    awaitFiring("RunnersetRunnersFailing", true);
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
    awaitFiring("RunnersetDegraded", true);
    assertThat(fires("RunnersetNotReady")).as("two runners take jobs").isFalse();
    world.podFaults(pod -> Optional.empty());
    awaitFiring("RunnersetDegraded", false);
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
    awaitFiring("RunnersetRunnersNotRegistering", true);
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
    awaitFiring("RunnersetRolloutStalled", true);
    world.podFaults(pod -> Optional.empty());
    awaitFiring("RunnersetRolloutStalled", false);
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
      pass(Duration.ofSeconds(25), "maxRunners: 3"); // a jump of the clock wakes nobody
      awaitFiring("RunnersetJobsStranded", true);
      assertThat(control.cancel(job)).isTrue();
      awaitFiring("RunnersetJobsStranded", false);
    }
  }

  @Test
  void aControllerThatIsNotThereFiresAndSoDoesOneWithoutTheLease() {
    world.startController();
    assertThat(fires("RunnersetControllerDown")).isFalse();
    awaitFiring("RunnersetNoLeader", false);
    assertThat(rules.fires("RunnersetNoLeader", "runnerset_leader{} 0.0\n")).isTrue();
    assertThat(rules.fires("RunnersetControllerDown", "# nothing answers\n")).isTrue();
  }

  /** A pass over an object that fails is repeated without end. */
  @Test
  void passesThatFailAgainAndAgainFire() {
    var passes = "runnerset_reconcile_seconds_count{kind=\"EphemeralRunner\",outcome=\"%s\"} %d\n";
    var before = passes.formatted("failure", 3) + passes.formatted("success", 9);
    var few = passes.formatted("failure", 13) + passes.formatted("success", 900);
    var many = passes.formatted("failure", 14) + passes.formatted("success", 900);
    assertThat(rules.fires("RunnersetReconcileFailing", before, few)).isFalse();
    assertThat(rules.fires("RunnersetReconcileFailing", before, many)).isTrue();
    world.startController();
    world.create("linux", "minRunners: 0");
    world
        .soon("a pass is counted")
        .until(() -> world.metrics().contains("runnerset_reconcile_seconds_count{kind="));
  }

  @Test
  void aShieldWithoutItsPolicyFires() {
    twoWarmRunners(null);
    awaitFiring("RunnersetShieldIncomplete", true);
    ShieldManifests.yaml(
            ControllerSettings.of("test").places(), ControllerSettings.CONTROLLER_SERVICE_ACCOUNT)
        .forEach(world.api::apply);
    pass(Duration.ofSeconds(25), "maxRunners: 6");
    awaitFiring("RunnersetShieldIncomplete", false);
  }

  @Test
  void aListenerOfAnotherLevelFires() {
    twoWarmRunners(null);
    assertThat(fires("RunnersetUpgradeRequired")).isFalse();
    world.patch(
        world.listener("linux").orElseThrow(),
        """
        {"protocolLevel": 9,
         "conditions": [{"type": "Connected", "status": "True", "reason": "Connected",
         "message": "", "lastTransitionTime": "2026-11-21T12:00:00Z"},
         {"type": "MarksDropped", "status": "True", "reason": "RunnerGone",
         "message": "", "lastTransitionTime": "2026-11-21T12:00:00Z"}]}
        """);
    awaitFiring("RunnersetUpgradeRequired", true);
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
      assertThat(rules.fires("RunnersetJobLost", before, world.metrics())).isFalse();
      var busy = world.runners().stream().filter(r -> r.statusOrNone().jobId() != null).findFirst();
      var name = busy.orElseThrow().getMetadata().getName();
      world.kube.pods().inNamespace("default").withName(name).withGracePeriod(0).delete();
      world
          .within(Duration.ofSeconds(60), "the loss is counted")
          .until(() -> rules.fires("RunnersetJobLost", before, world.metrics()));
    }
  }

  @Test
  void retentionThatIsRefusedFires() {
    world.api.apply(Crds.yaml().replace("maximum: 100.0", "maximum: 1000.0"));
    world.start();
    world.create("linux", "retention: {failedLimit: 101}");
    awaitFiring("RunnersetRetentionRefused", true);
    world.spec("linux", "retention: {failedLimit: 100}");
    awaitFiring("RunnersetRetentionRefused", false);
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
        .until(() -> rules.fires("RunnersetFinishedRunnersNotDeleted", before, world.metrics()));
  }
}
