package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.Statistics;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionTimes;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The deletion of a set, step by step (DL1). */
class RunnerSetDeletionIT {
  private static final String RUNS =
      "{'phase': 'Running', 'containerStatuses': [{'name': 'runner', 'image': 'i', 'imageID': '',"
          + " 'ready': true, 'restartCount': 0,"
          + " 'state': {'running': {'startedAt': '2026-11-21T11:00:00Z'}}}]}";
  private static final String WAITS = "{'phase': 'Pending'}";
  private static final String OVER = "{'phase': 'Succeeded'}";
  private static final String RUNNING = "{'phase': 'Running', 'runnerId': 7}";

  private static final String FORCE =
      "kubectl annotate autoscalingrunnersets.runnerset.dev -n default linux"
          + " runnerset.dev/force-delete=true";

  private final RunnerSetWorld world = new RunnerSetWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  private void deletedWith(int live) {
    world.create("minRunners: 1");
    world.keep();
    world.demand(live, 4);
    world.keep();
    world.runnersSeen(live);
    world.delete();
  }

  private boolean listenerLeaves() {
    return Objects.requireNonNull(world.listener()).getMetadata().getDeletionTimestamp() != null;
  }

  private void deletedUpToTheScaleSet() {
    deletedWith(0);
    world.tearDown();
    world.runnersSeen(0);
    world.tearDown();
    world.listenerReleased();
    world.tearDown();
  }

  private void lockedOutWithOneThatWaits() {
    deletedWith(1);
    world.runner("waits", "{'phase': 'Pending'}", WAITS);
    world.service.fault = refused();
    world.tearDown();
    world.tearDown();
  }

  private String message() {
    return world.condition("Ready").getMessage();
  }

  private static ServiceError refused() {
    return new ServiceError.Unauthorized(FakeScaleSets.details(401));
  }

  @Test
  void goesInTheOrderOfTheDesign() {
    deletedWith(0);
    world.runner("done", "{'phase': 'Succeeded'}", null);
    world.tearDown();
    assertThat(Objects.requireNonNull(world.ephemeralRunnerSet()).getSpec().replicas()).isZero();
    assertThat(Objects.requireNonNull(world.listener()).getSpec().capacity()).isZero();
    world.runnersSeen(0);
    world.tearDown();
    assertThat(listenerLeaves()).isTrue();
    world.tearDown();
    assertThat(world.ephemeralRunnerSet()).as("not before the session has ended").isNotNull();
    world.listenerReleased();
    world.tearDown();
    assertThat(world.ephemeralRunnerSet()).isNull();
    assertThat(world.service.byId).as("not before its runners are gone").hasSize(1);
    world.annotate("done", Labels.FORCE_DELETE, "true");
    world.finalizersRun();
    assertThat(world.hasPermissions()).isTrue();
    assertThat(world.tearDown()).isEmpty();
    assertThat(world.service.byId).isEmpty();
    assertThat(world.hasPermissions()).isFalse();
  }

  /** It may be making runners: their finalizers would be left to nobody. */
  @ParameterizedTest(name = "runners: {0}")
  @ValueSource(ints = {0, 1})
  void nothingBehindTheRunnersGoesBeforeTheirReconcilerHasSeenTheZero(int runners) {
    deletedWith(0);
    if (runners > 0) {
      world.runner("done", "{'phase': 'Succeeded'}", null);
    }
    for (int i = 0; i < 5; i++) {
      world.tearDown();
      assertThat(listenerLeaves()).isFalse();
      assertThat(world.condition("Ready").getReason()).isEqualTo("Deleting");
    }
    world.runnersSeen(0);
    world.tearDown();
    assertThat(listenerLeaves()).isTrue();
  }

  /** Else nobody would know why the deletion takes so long. */
  @Test
  void runnersThatDoNotEndAreReportedWhileTheSetWaitsForThem() {
    deletedWith(1);
    world.tearDown();
    world.notEnding("of 1 runner: a");
    world.tearDown();
    assertThat(world.condition("RunnersNotEnding").getMessage()).isEqualTo("of 1 runner: a");
    assertThat(world.condition("RunnersNotEnding").getObservedGeneration())
        .isEqualTo(world.set().getMetadata().getGeneration());
    world.notEnding(null);
    world.tearDown();
    assertThat(world.conditions("RunnersNotEnding")).isEmpty();
  }

  /** Else each would be kept until the end of its settle window, as its job counted as demand. */
  @Test
  void jobsThatEndMeanwhileAreReleasedByTheirMessage() {
    deletedWith(2);
    world.tearDown();
    world.runnersSeen(2);
    world.demand(0, 9);
    world.tearDown();
    var set = Objects.requireNonNull(world.ephemeralRunnerSet());
    assertThat(set.settledUpTo()).isEqualTo(9);
    assertThat(DesiredRunners.of(set)).isZero();
    assertThat(message()).startsWith("waiting for 2 runners");
  }

  /** No message tells any more how a runner ended that lost its registration. */
  @Test
  void onceTheScaleSetIsGoneTheRunnersAreAskedToGo() {
    deletedWith(1);
    world.runner("idle", RUNNING, RUNS);
    world.tearDown();
    world.runnersSeen(1);
    world.tearDown();
    world.tearDown();
    assertThat(world.isLeaving("idle")).as("the reconciler of the runners removes it").isFalse();
    world.service.byId.clear();
    world.clock.advance(DeletionTimes.PROBED_EVERY);
    world.tearDown();
    world.tearDown();
    assertThat(world.isLeaving("idle")).isTrue();
  }

  /** As after a scale set that somebody deleted was made again just before the deletion. */
  @Test
  void runnersOfAFormerScaleSetAreAskedToGo() {
    deletedWith(1);
    world.runner("idle", RUNNING, RUNS);
    world.tearDown();
    world.runnersSeen(1);
    world.foreignStatus(world.set(), "{'scaleSetId': 2}");
    world.tearDown();
    assertThat(world.isLeaving("idle")).isTrue();
  }

  @Test
  void whileNobodyReportedTheDemandTheRunnersAreAskedToGoOnceTheZeroWasSeen() {
    world.create("minRunners: 1");
    world.keep();
    world.runner("idle", RUNNING, RUNS);
    world.delete();
    world.tearDown();
    world.tearDown();
    assertThat(world.isLeaving("idle"))
        .as("their reconciler would make others in their place")
        .isFalse();
    world.runnersSeen(1);
    world.tearDown();
    assertThat(world.isLeaving("idle")).isTrue();
    world.finalizersRun();
    assertThat(world.runner("idle")).as("its finalizer decides").isNotNull();
  }

  /**
   * The reason is reported at once, what runs is never touched, and what does not run goes in time.
   */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"Unauthorized", "Forbidden", "NotFound", "SecretNotFound"})
  void withoutCredentialsTheReasonIsReportedAndWhatDoesNotRunGoesAfterAWhile(String reason) {
    deletedWith(3);
    world.runner("runs", RUNNING, RUNS);
    world.runner("waits", "{'phase': 'Pending'}", WAITS);
    world.runner("never", "{'phase': 'Pending'}", null);
    world.runner("over", "{'phase': 'Failed', 'runnerId': 9}", OVER);
    var details = FakeScaleSets.details(400);
    switch (reason) {
      case "Unauthorized" -> world.service.fault = new ServiceError.Unauthorized(details);
      case "Forbidden" -> world.service.fault = new ServiceError.Forbidden(details);
      case "NotFound" -> world.service.fault = new ServiceError.NotFound(details);
      default -> world.service.noConnection = reason;
    }
    world.restart();
    world.tearDown();
    world.runnersSeen(3);
    world.tearDown();
    assertThat(world.condition("Registered").getReason()).isEqualTo(reason);
    assertThat(world.condition("Ready").getReason()).isEqualTo("Deleting");
    assertThat(message())
        .contains("the registrations of its runners cannot be removed")
        .contains("3 runners that do not run are deleted without the service")
        .contains("1 runners run and may have a job")
        .contains(FORCE);
    for (var name : List.of("runs", "waits", "never", "over")) {
      assertThat(world.isLeaving(name)).as(name).isFalse();
    }

    world.clock.advance(DeletionTimes.CREDENTIALS_AWAITED);
    world.tearDown();
    world.finalizersRun();
    assertThat(world.runner("waits")).isNull();
    assertThat(world.pod("waits")).isNull();
    assertThat(world.runner("never")).isNull();
    assertThat(world.runner("over")).isNull();
    var runs = Objects.requireNonNull(world.runner("runs"));
    assertThat(runs.getMetadata().getDeletionTimestamp()).as("I1").isNull();
    assertThat(runs.getMetadata().getAnnotations()).doesNotContainKey(Labels.FORCE_DELETE);
    assertThat(world.events).anyMatch(e -> e.startsWith("RegistrationsLeft: 3 runners"));
    world.runnersSeen(1);
    world.clock.advance(DeletionTimes.PODS_LISTED_EVERY);
    world.tearDown();
    assertThat(message()).contains("1 runners run").doesNotContain("that do not run");

    world.podBecomes("runs", OVER);
    world.clock.advance(DeletionTimes.PODS_LISTED_EVERY);
    world.tearDown();
    world.finalizersRun();
    assertThat(world.runner("runs")).isNull();

    world.runnersSeen(0);
    world.tearDown();
    world.listenerReleased();
    world.tearDown();
    assertThat(world.ephemeralRunnerSet()).isNull();
    world.tearDown();
    world.clock.set(
        world
            .clock
            .instant()
            .plus(DeletionTimes.REGISTRATIONS_AWAITED)
            .plus(RetryWaits.SERVICE.longest()));
    assertThat(world.tearDown()).as("the deletion ends").isEmpty();
    assertThat(world.service.byId).as("the scale set is left").hasSize(1);
    assertThat(world.events).anyMatch(e -> e.startsWith("ScaleSetLeft: "));
  }

  @Test
  void whatAUserForcesGoesAtOnceWithItsJob() {
    deletedWith(2);
    world.runner("one", "{'phase': 'Running', 'runnerId': 7, 'jobId': 'j'}", RUNS);
    world.runner("two", "{'phase': 'Running', 'runnerId': 8, 'jobId': 'k'}", RUNS);
    world.service.fault = refused();
    world.tearDown();
    world.annotate("one", Labels.FORCE_DELETE, "true");
    world.clock.advance(DeletionTimes.FORCED_LISTED_EVERY);
    world.tearDown();
    world.finalizersRun();
    assertThat(world.runner("one")).isNull();
    assertThat(world.isLeaving("two")).isFalse();
  }

  /**
   * A pod that waited when it was seen, and starts before its deletion, or between the list and
   * that: its runner may get a job (I1).
   */
  @ParameterizedTest(name = "after the list: {0}")
  @ValueSource(booleans = {false, true})
  void aPodThatStartedSinceItWasSeenKeepsItsRunner(boolean afterTheList) {
    lockedOutWithOneThatWaits();
    world.clock.advance(DeletionTimes.CREDENTIALS_AWAITED);
    Runnable starts = () -> world.podBecomes("waits", RUNS);
    if (afterTheList) {
      world.afterPods = starts;
    } else {
      starts.run();
    }
    world.tearDown();
    assertThat(world.isLeaving("waits")).isFalse();
    assertThat(Objects.requireNonNull(world.pod("waits")).getMetadata().getDeletionTimestamp())
        .isNull();
  }

  @Test
  void credentialsThatComeBackEndIt() {
    lockedOutWithOneThatWaits();
    assertThat(world.condition("Registered").getReason()).isEqualTo("Unauthorized");
    world.service.fault = null;
    world.clock.advance(DeletionTimes.CREDENTIALS_AWAITED);
    world.tearDown();
    assertThat(world.condition("Registered").getStatus()).isEqualTo("True");
    assertThat(message()).startsWith("waiting for 1 runner:").doesNotContain("cannot be removed");
    assertThat(world.isLeaving("waits")).isFalse();
    world.service.fault = refused();
    world.clock.advance(DeletionTimes.PROBED_EVERY);
    world.tearDown();
    assertThat(world.runner("waits")).as("patience starts over").isNotNull();
    assertThat(world.isLeaving("waits")).isFalse();
  }

  /** Time heals that. */
  @Test
  void aServiceThatIsDownIsReportedAndWaitedFor() {
    deletedWith(1);
    world.runner("waits", "{'phase': 'Pending'}", WAITS);
    world.service.fault = new ServiceError.Unavailable(FakeScaleSets.details(503), null);
    world.tearDown();
    for (int i = 0; i < 10; i++) {
      world.clock.advance(DeletionTimes.CREDENTIALS_AWAITED);
      world.tearDown();
    }
    assertThat(world.condition("Registered").getReason()).isEqualTo("ServiceUnavailable");
    assertThat(message()).contains("cannot be removed");
    assertThat(world.isLeaving("waits")).isFalse();
  }

  /** A day without an answer is no refusal: the patience begins with the refusal. */
  @Test
  void theTimeOfAServiceThatWasDownIsNoneWithoutCredentials() {
    deletedWith(1);
    world.runner("waits", "{'phase': 'Pending'}", WAITS);
    world.service.fault = new ServiceError.Unavailable(FakeScaleSets.details(503), null);
    world.tearDown();
    world.tearDown();
    world.clock.advance(DeletionTimes.CREDENTIALS_AWAITED);
    world.service.fault = refused();
    world.tearDown();
    assertThat(world.condition("Registered").getReason()).isEqualTo("Unauthorized");
    assertThat(world.isLeaving("waits")).isFalse();
  }

  /**
   * While jobs run for hours the service is asked now and then, and not with every pass; more often
   * while it refuses, so that credentials that come back are seen soon.
   */
  @ParameterizedTest(name = "refuses: {0}")
  @CsvSource({"true, 17, 20", "false, 4, 6"})
  void theServiceIsAskedNowAndThenWhileRunnersAreWaitedFor(boolean refuses, int least, int most) {
    deletedWith(1);
    world.runner("busy", "{'phase': 'Running', 'jobId': 'j'}", RUNS);
    world.service.fault = refuses ? refused() : null;
    world.tearDown();
    world.service.asked.clear();
    var end = world.clock.instant().plus(Duration.ofMinutes(5));
    while (world.clock.instant().isBefore(end)) {
      world.tearDown();
    }
    assertThat(world.service.asked).hasSizeBetween(least, most);
  }

  /** Nobody can make the secret again there, so what is left is to force it. */
  @Test
  void inANamespaceThatIsBeingDeletedTheForceCommandComesFirst() {
    deletedWith(2);
    world.runner("runs", RUNNING, RUNS);
    world.runner("waits", "{'phase': 'Pending'}", WAITS);
    world.service.noConnection = "SecretNotFound";
    world.namespaceGoes = true;
    world.restart();
    world.tearDown();
    world.runnersSeen(2);
    world.tearDown();
    assertThat(world.condition("Registered").getReason()).isEqualTo("NamespaceTerminating");
    assertThat(message())
        .startsWith(
            "The namespace is being deleted, and the credentials of the set were deleted"
                + " with it")
        .contains("1 runners run without a known job, and wait until they are forced: " + FORCE)
        .containsOnlyOnce(FORCE)
        .doesNotContain("From ", "may have a job", "container ends");
    world.finalizersRun();
    assertThat(world.runner("waits")).as("nothing can come back").isNull();
    assertThat(world.isLeaving("runs")).as("I1").isFalse();
    force();
    world.clock.advance(DeletionTimes.FORCED_LISTED_EVERY);
    world.tearDown();
    world.finalizersRun();
    assertThat(world.runner("runs")).isNull();
  }

  /** A command for the runners without a mark comes first, since that of the set ends jobs. */
  @Test
  void inANamespaceThatIsBeingDeletedTheJobsThatAreKnownNeedNotBeForced() {
    deletedWith(2);
    world.runner("busy", "{'phase': 'Running', 'runnerId': 7, 'jobId': 'j'}", RUNS);
    world.runner("runs", RUNNING, RUNS);
    world.service.noConnection = "SecretNotFound";
    world.namespaceGoes = true;
    world.restart();
    world.tearDown();
    world.runnersSeen(2);
    world.tearDown();
    assertThat(message())
        .startsWith(
            "The namespace is being deleted, and the credentials of the set were deleted with"
                + " it: no"
                + " registration of its runners can be removed. 1 runners run without a known job,"
                + " and wait until they are forced: kubectl annotate"
                + " ephemeralrunners.runnerset.dev -n default runs runnerset.dev/force-delete=true;"
                + " kubectl delete ephemeralrunners.runnerset.dev -n default runs --wait=false. 1"
                + " runners have a job, and are deleted when it is over")
        .containsOnlyOnce(FORCE);
    world.merge(
        Objects.requireNonNull(world.runner("runs")),
        "{'metadata': {'annotations': {'runnerset.dev/force-delete': 'true'}}}");
    world.clock.advance(DeletionTimes.FORCED_LISTED_EVERY);
    world.tearDown();
    world.finalizersRun();
    assertThat(world.runner("runs")).isNull();
    assertThat(world.isLeaving("busy")).isFalse();
  }

  private void force() {
    world.merge(
        world.set(), "{'metadata': {'annotations': {'runnerset.dev/force-delete': 'true'}}}");
  }

  /** As a test server that was torn down before its sets. */
  @Test
  void aSetWhoseServiceIsGoneForEverGoesWhenItIsForced() {
    deletedUpToTheScaleSet();
    world.service.fault = new ServiceError.Unavailable(FakeScaleSets.details(503), null);
    for (int i = 0; i < 10; i++) {
      world.clock.advance(DeletionTimes.REGISTRATIONS_AWAITED);
      assertThat(world.tearDown()).isPresent();
    }
    assertThat(message()).contains(FORCE);
    force();
    world.clock.advance(RetryWaits.SERVICE.longest());
    assertThat(world.tearDown()).isEmpty();
    assertThat(world.events).anyMatch(e -> e.startsWith("ScaleSetLeft: "));
  }

  /** As a set that was written by hand in a namespace without the role (WR9). */
  @Test
  void aSetThatNeverGotItsRightsGoesAtOnce() {
    world.withoutRights = true;
    world.service.noConnection = "RoleMissing";
    world.create();
    world.keep();
    assertThat(world.condition("Ready").getReason()).isEqualTo("RoleMissing");
    world.delete();
    assertThat(world.tearDown()).as("nothing was made").isEmpty();
    assertThat(world.events).noneMatch(e -> e.startsWith("ObjectsLeft"));
  }

  /** Somebody took the role away before the set. */
  @Test
  void aSetThatLostItsRightsGoesAfterAWhileAndTellsWhatIsLeft() {
    deletedUpToTheScaleSet();
    world.withoutRights = true;
    world.tearDown();
    var until = world.clock.instant().plus(DeletionTimes.LONGEST_REFUSED);
    assertThat(message())
        .contains("The controller lacks a permission")
        .contains("From " + until + " on the set is deleted without that");
    while (world.clock.instant().plusSeconds(2).isBefore(until)) {
      assertThat(world.tearDown()).isPresent();
    }
    assertThat(world.events).noneMatch(e -> e.startsWith("ObjectsLeft"));
    assertThat(world.tearDown()).isEmpty();
    assertThat(world.events)
        .filteredOn(e -> e.startsWith("ObjectsLeft"))
        .singleElement()
        .asString()
        .contains(
            "kubectl delete --ignore-not-found --namespace default role/linux-listener"
                + " rolebinding/linux-listener poddisruptionbudget/linux-busy");
  }

  @Test
  void aScaleSetWithRegisteredRunnersIsWaitedForAndThenLeft() {
    deletedUpToTheScaleSet();
    var id = new ScaleSetId(1);
    world.service.byId.put(
        id,
        new ScaleSet(
            id,
            "linux",
            RunnerGroupId.DEFAULT,
            List.of("linux"),
            new Statistics(0, 0, 0, 0, 1, 0, 1),
            null,
            null));
    world.tearDown();
    assertThat(message()).contains("1 runners are still registered with it");
    world.clock.set(
        world
            .clock
            .instant()
            .plus(DeletionTimes.REGISTRATIONS_AWAITED)
            .plus(RetryWaits.SERVICE.longest()));
    assertThat(world.tearDown()).isEmpty();
    assertThat(world.service.byId).hasSize(1);
    assertThat(world.events).anyMatch(e -> e.startsWith("ScaleSetLeft: "));
  }
}
