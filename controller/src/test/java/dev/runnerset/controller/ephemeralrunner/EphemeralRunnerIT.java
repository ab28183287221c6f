package dev.runnerset.controller.ephemeralrunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reconciler against the API server, the service and the node of the simulator. */
final class EphemeralRunnerIT {
  private RunnerWorld world;

  @BeforeEach
  void start() {
    world = new RunnerWorld();
  }

  @AfterEach
  void stop() throws Exception {
    world.stop();
  }

  private EphemeralRunnerStatus status(String name) {
    var runner = world.runner(name);
    return runner == null ? EphemeralRunnerStatus.NONE : runner.statusOrNone();
  }

  private void awaitPhase(String name, RunnerPhase phase) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(status(name).phase()).isEqualTo(phase));
  }

  private void within(int seconds, Callable<Boolean> holds) {
    world.clock.within(Duration.ofSeconds(seconds), "what comes with time").until(holds);
  }

  /** Nothing but time passes. */
  private void quiet(int seconds) {
    quiet(seconds, () -> {});
  }

  /** The same, and that holds all the while. */
  private void quiet(int seconds, Runnable assertion) {
    world.clock.passInRounds(Duration.ofSeconds(seconds), assertion);
  }

  /** A runner that runs, on a node that is quick. */
  private EphemeralRunner running() {
    world.startNode(Duration.ofMillis(50));
    world.startOperator();
    var runner = world.create("linux-a");
    awaitPhase("linux-a", RunnerPhase.RUNNING);
    return runner;
  }

  private EphemeralRunner stored(String name) {
    return Objects.requireNonNull(world.runner(name));
  }

  private boolean hasEvent(String reason) {
    return world.kube.v1().events().inNamespace("default").list().getItems().stream()
        .anyMatch(e -> e.getReason().equals(reason));
  }

  private void awaitGone(EphemeralRunner runner) {
    world.kube.resource(runner).delete();
    within(20, () -> world.runner(runner.getMetadata().getName()) == null);
    assertThat(world.service.control().violations()).isEmpty();
  }

  private long calls(String endpoint) {
    return Objects.requireNonNullElse(world.service.control().counters().get(endpoint), 0L);
  }

  @Test
  void aRunnerThatStartsInTimeCostsOneCallTwoCreatesAndOneStatusPatch() {
    world.startNode(Duration.ofMillis(100));
    world.clock.stand();
    world.startOperator();
    world.create("linux-a");
    awaitPhase("linux-a", RunnerPhase.RUNNING);
    world.clock.goOn();
    quiet(3);

    assertThat(world.requests())
        .isEqualTo(
            Map.of(
                "create secrets", 1L,
                "create pods", 1L,
                "patch ephemeralrunners.runnerset.dev/status", 1L));
    assertThat(calls("generatejitconfig")).isEqualTo(1);
    var status = status("linux-a");
    var registration = world.service.control().runners().getFirst();
    assertThat(status.runnerId()).isEqualTo(registration.id());
    assertThat(status.podName()).isEqualTo("linux-a");
    assertThat(status.nodeName()).isEqualTo("simulated-node");
    assertThat(status.idleSince()).isNotNull();
    assertThat(status.conditions()).allMatch(c -> c.getStatus().equals("True"));
  }

  @Test
  void aRunnerWhosePassesFailSaysSoUntilOneEnds() {
    world.startNode(Duration.ofMillis(50));
    world.startOperator();
    world.passesFail.set(true);
    world.create("linux-a");
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() ->
            assertThat(status("linux-a").conditions())
                .anySatisfy(stalled -> {
                  assertThat(stalled.getType()).isEqualTo("PassesFailing");
                  assertThat(stalled.getStatus()).isEqualTo("True");
                  assertThat(stalled.getReason()).isEqualTo("PassFailed");
                  assertThat(stalled.getMessage())
                      .contains("log")
                      .doesNotContain("token", "IllegalStateException");
                }));
    quiet(5);
    assertThat(world.requests())
        .as("it is said once")
        .containsEntry("patch ephemeralrunners.runnerset.dev/status", 1L);

    world.passesFail.set(false);
    awaitPhase("linux-a", RunnerPhase.RUNNING);
    within(
        30,
        () ->
            status("linux-a").conditions().stream()
                .noneMatch(c -> c.getType().equals("PassesFailing")));
  }

  @Test
  void aStartThatIsMerelySlowCostsNoStatus() {
    world.startNode(Duration.ofSeconds(2)); // twice: for the image and for the container
    world.startOperator();
    world.create("linux-a");
    awaitPhase("linux-a", RunnerPhase.RUNNING);

    assertThat(world.requests())
        .containsEntry("patch ephemeralrunners.runnerset.dev/status", 1L)
        .doesNotContainKey("get pods");
  }

  @Test
  void aStatusThatSomebodyWipesIsWrittenAgainOnce() {
    world.startNode(Duration.ofMillis(50));
    world.clock.stand();
    world.startOperator();
    var runner = world.create("linux-a");
    awaitPhase("linux-a", RunnerPhase.RUNNING);
    world.clock.goOn();
    var before = status("linux-a");
    world
        .kube
        .resource(runner)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": null}");
    awaitPhase("linux-a", RunnerPhase.RUNNING);
    quiet(3);

    assertThat(status("linux-a")).isEqualTo(before);
    assertThat(world.requests()).containsEntry("patch ephemeralrunners.runnerset.dev/status", 2L);
  }

  @Test
  void aDeletedIdleRunnerGoesAfterOneRemovalAndOneFinalizerPatch() {
    var runner = running();
    awaitGone(runner);

    assertThat(world.service.control().runners()).isEmpty();
    assertThat(calls("removeRunner")).isEqualTo(1);
    within(10, () -> world.kube.pods().inNamespace("default").list().getItems().isEmpty());
    assertThat(world.requests())
        .containsEntry("patch ephemeralrunners.runnerset.dev", 1L)
        .doesNotContainKey("get ephemeralrunners.runnerset.dev");
  }

  @Test
  void aRunnerWhoseSecretSomebodyDeletedSaysSoAndLeavesNothingWhenItIsDeleted() {
    world.startOperator();
    var runner = world.create("linux-a");
    within(10, () -> world.kube.pods().inNamespace("default").withName("linux-a").get() != null);
    deleteSecret("linux-a");
    world.startNode(Duration.ofMillis(50));
    within(
        20,
        () ->
            status("linux-a").conditions().stream()
                .anyMatch(c ->
                    c.getStatus().equals("False")
                        && c.getReason().equals("CreateContainerConfigError")
                        && c.getMessage().contains("secret")));
    assertThat(status("linux-a").phase()).isEqualTo(RunnerPhase.PENDING);

    awaitGone(runner);
    assertThat(world.service.control().runners()).isEmpty();
    assertThat(calls("generatejitconfig")).as("I6: never registered again").isEqualTo(1);
  }

  @Test
  void aRunningRunnerNeedsItsSecretNoMore() {
    var _ = running();
    deleteSecret("linux-a");
    quiet(2);

    assertThat(status("linux-a").phase()).isEqualTo(RunnerPhase.RUNNING);
    assertThat(world.requests()).as("nothing is made again").containsEntry("create secrets", 1L);
    assertThat(world.service.control().runners()).hasSize(1);
  }

  private void deleteSecret(String name) {
    assertThat(world.kube.secrets().inNamespace("default").withName(name).delete()).hasSize(1);
  }

  @Test
  void aRunnerThatAnEarlierProcessRegisteredIsReplacedAndLeavesNothing() {
    var lost =
        world.actions.generateJitConfig(
            new dev.runnerset.actions.ScaleSetId(world.scaleSet), "linux-a", "");
    assertThat(lost).isInstanceOf(dev.runnerset.actions.JitConfigResult.Registered.class);
    world.startOperator();
    world.createdBefore("linux-a");
    within(20, () -> world.runner("linux-a") == null);

    assertThat(world.service.control().runners()).isEmpty();
    assertThat(world.service.control().violations()).isEmpty();
    assertThat(world.requests()).doesNotContainKey("create secrets");
  }

  @Test
  void aRunnerThatAnEarlierProcessMadeAndDidNotBeginStartsAfterTwoReads() {
    world.startNode(Duration.ofMillis(50));
    world.startOperator();
    world.createdBefore("linux-a");
    awaitPhase("linux-a", RunnerPhase.RUNNING);

    assertThat(world.requests())
        .containsEntry("get secrets", 1L)
        .containsEntry("get pods", 1L)
        .containsEntry("create pods", 1L);
  }

  @Test
  void aNameThatAnotherScaleSetHasIsLeftAloneAndTheRunnerFails() {
    var other = world.createScaleSet("other");
    var theirs = world.service.control().registerForeign(other, "linux-a");
    world.startOperator();
    var runner = world.create("linux-a");
    awaitPhase("linux-a", RunnerPhase.FAILED);
    assertThat(Objects.requireNonNull(status("linux-a").failure()).reason()).isEqualTo("NameTaken");
    awaitGone(runner);

    assertThat(world.service.control().runners())
        .extracting(r -> r.id())
        .containsExactly(theirs.id());
    assertThat(calls("removeRunner")).isZero();
  }

  @Test
  void aLabelThatSomebodyTakesOffAPodIsPutBackAfterOneRead() {
    var _ = running();
    var pod = world.kube.pods().inNamespace("default").withName("linux-a");
    pod.edit(p ->
        new io.fabric8.kubernetes.api.model.PodBuilder(p)
            .editMetadata()
            .removeFromLabels("app.kubernetes.io/component")
            .endMetadata()
            .build());
    within(
        10, () -> pod.get().getMetadata().getLabels().containsKey("app.kubernetes.io/component"));
    quiet(5);

    assertThat(world.requests().get("get pods")).isBetween(1L, 3L);
    assertThat(status("linux-a").phase()).isEqualTo(RunnerPhase.RUNNING);
  }

  @Test
  void aRestartWhileAPodRunsStartsNothing() {
    world.startNode(Duration.ofMillis(500));
    world.startOperator();
    world.create("linux-a");
    within(20, () -> !world.kube.pods().inNamespace("default").list().getItems().isEmpty());
    world.stopOperator();
    world.startOperator();
    awaitPhase("linux-a", RunnerPhase.RUNNING);

    assertThat(calls("generatejitconfig")).isEqualTo(1);
    assertThat(world.kube.resources(Pod.class).inNamespace("default").list().getItems()).hasSize(1);
  }

  @Test
  void aPodThatIsGoneIsALostRunnerAndNeverANewPod() {
    var _ = running();
    world.kube.pods().inNamespace("default").withName("linux-a").withGracePeriod(0).delete();
    within(45, () -> status("linux-a").isTerminal());

    assertThat(status("linux-a").phase()).isEqualTo(RunnerPhase.FAILED);
    assertThat(calls("generatejitconfig")).isEqualTo(1);
  }

  private void patchStatus(EphemeralRunner runner, String status) {
    world
        .kube
        .resource(runner)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": " + status + "}");
  }

  private boolean saysThatItWaits() {
    return status("linux-a").conditions().stream()
        .anyMatch(c ->
            c.getType().equals("Removable")
                && c.getReason().equals("JobRunning")
                && c.getMessage().contains("the service says that it has a job"));
  }

  /** It waited for five minutes, and said nothing. */
  @Test
  void sd5TheCompletionHasARunnerAskedForAgainWhosePodIsLostAndUntilThenItSaysWhyItWaits() {
    var runner = running();
    world.clock.stand();
    world
        .service
        .control()
        .faults(
            FaultPlan.NONE.withHttp(
                HttpFault.answer("removeRunner", 400, -1)
                    .withException(
                        "GitHub.DistributedTask.WebApi.TaskAgentJobStillRunningException")));
    patchStatus(runner, "{\"jobId\": \"job\"}");
    world.kube.pods().inNamespace("default").withName("linux-a").withGracePeriod(0).delete();
    awaitPhase("linux-a", RunnerPhase.FAILED);
    world.kube.resource(runner).delete();
    within(10, () -> calls("removeRunner") == 1 && saysThatItWaits());

    world.service.control().faults(FaultPlan.NONE);
    patchStatus(runner, "{\"job\": {\"completedIn\": 5}, \"jobResult\": \"succeeded\"}");
    within(10, () -> calls("removeRunner") == 2);
    world.clock.goOn();
    within(40, () -> world.runner("linux-a") == null);
    assertThat(world.service.control().runners()).isEmpty();
    assertThat(hasEvent("JobLost")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {-40, 40})
  void theSettleWindowRunsByOurClockWhateverThatOfTheNodeSays(long secondsAhead) {
    var moment = Duration.ofMillis(50);
    var node = world.startNode(moment, Duration.ofSeconds(secondsAhead));
    node.faults(pod -> Optional.of(new PodFault.ExitsEarly(0)));
    var before = world.clock.instant();
    world.startOperator();
    var uid = world.create("linux-a").getMetadata().getUid();
    within(10, () -> world.exits.of(uid).isPresent());
    assertThat(world.exits.of(uid).orElseThrow().at()).isBetween(before, world.clock.instant());
    quiet(3, () -> assertThat(status("linux-a").isTerminal()).isFalse());
  }

  @ParameterizedTest
  @ValueSource(longs = {-40, 40})
  void theIdleTimeIsByOurClockWhateverThatOfTheNodeSays(long secondsAhead) {
    world.startNode(Duration.ofMillis(50), Duration.ofSeconds(secondsAhead));
    var before = world.clock.instant();
    world.startOperator();
    world.create("linux-a");
    awaitPhase("linux-a", RunnerPhase.RUNNING);
    assertThat(status("linux-a").idleSince()).isBetween(before, world.clock.instant());
  }

  @Test
  void withoutCredentialsNothingIsMadeAndAnEventSaysWhy() {
    world.credentials.set(false);
    world.startOperator();
    world.create("linux-a");
    within(10, () -> hasEvent("SecretNotFound"));
    world.credentials.set(true);
    within(
        15,
        () ->
            !world.kube.resources(Secret.class).inNamespace("default").list().getItems().isEmpty());
  }

  /** As in a namespace without the role: it made nothing, so nothing may hold its deletion. */
  @Test
  void aStandaloneRunnerHasTheFinalizerOnlyFromItsFirstCallOn() {
    world.credentials.set(false);
    world.startOperator();
    var runner = world.standalone("alone");
    within(10, () -> hasEvent("SecretNotFound"));
    assertThat(stored("alone").getMetadata().getFinalizers()).isEmpty();
    world.kube.resource(runner).delete();
    assertThat(world.runner("alone")).as("gone at once").isNull();

    world.credentials.set(true);
    var another = world.standalone("another");
    within(15, () -> !world.service.control().runners().isEmpty());
    assertThat(stored("another").getMetadata().getFinalizers())
        .containsExactly("runnerset.dev/registration");
    awaitGone(another);
    assertThat(world.service.control().runners()).isEmpty();
  }

  /** Its set lists its runners by it: it would make another one, and forget this one. */
  @Test
  void theLabelOfItsSetThatSomebodyTakesOffIsPutBack() {
    world.startOperator();
    world.clock.stand();
    var runner = world.create("linux-a");
    within(10, () -> !world.service.control().runners().isEmpty());
    world
        .kube
        .resource(runner)
        .edit(r -> {
          r.getMetadata().setLabels(Map.of());
          return r;
        });
    within(
        10,
        () -> "linux".equals(stored("linux-a").getMetadata().getLabels().get("runnerset.dev/set")));
  }

  /** Somebody took it off, as with kubectl edit. */
  @Test
  void aFinalizerThatSomebodyTakesOffIsPutBack() {
    world.startOperator();
    world.clock.stand();
    var runner = world.create("linux-a");
    within(10, () -> !world.service.control().runners().isEmpty());
    world
        .kube
        .resource(runner)
        .edit(r -> {
          r.getMetadata().setFinalizers(List.of());
          return r;
        });
    within(10, () -> stored("linux-a").getMetadata().getFinalizers().size() == 1);
  }
}
