package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Removals of one set, from the plan to the answer and to the next plan (SD5 to SD7, I3). */
class RemovalsTest extends RemovalFixture {
  @Test
  void sd6TwoAreUnderWayAndTheSurplusGoes() {
    surplus(10, 8);
    assertThat(requests).hasSize(2);
    reconcile();
    assertThat(requests).as("no more without an answer").hasSize(2);
    answerAll();
    assertThat(asked()).isEqualTo(8);
    assertThat(service.asked).doesNotContain("DELETE 9", "DELETE 10");
    assertThat(removed("capacity")).isEqualTo(8);
    assertThat(requests("removed")).isEqualTo(8);
  }

  @Test
  void sd7TheTargetOfEachMomentCounts() {
    surplus(10, 8);
    replicas = 9;
    answerAll();
    assertThat(asked()).as("the two that were under way").isEqualTo(2);
  }

  @Test
  void i1ARunnerThatGetsAJobBetweenTwoAnswersIsNotAskedFor() {
    surplus(4, 4);
    runnerByName.get("r3").setStatus(status(3, RunnerPhase.RUNNING, 7L, null));
    runnerByName.get("r4").getMetadata().setDeletionTimestamp(T0.toString());
    answerAll();
    assertThat(service.asked).contains("DELETE 1", "DELETE 2").doesNotContain("DELETE 3");
    assertThat(asked()).isEqualTo(2);
  }

  @Test
  void aRefusalIsNoRemovalAndOneAtATimeGoesOn() {
    haveJobs(2, 2);
    surplus(10, 3);
    answerOne();
    answerOne();
    assertThat(requests).as("one refusal: one at a time").hasSize(1);
    answerAll();
    assertThat(asked()).isEqualTo(4);
    assertThat(service.asked).doesNotContain("kube delete r2");
    assertThat(memory.removals().of("uid-r2", null).busySuspectUntil())
        .as("before the cache knows it")
        .isAfter(T0.plusSeconds(300));
  }

  @Test
  void i3TwoUselessAnswersInAnyThirtySecondsAndForARunnerInTenMinutes() {
    haveJobs(1, 50);
    var at = new ArrayList<Instant>();
    service.duringDelete = () -> at.add(service.clock.instant());
    surplus(50, 50);
    for (int second = 0; second < 900; second++) {
      answerAll();
      pass(1);
    }
    assertThat(at).hasSizeGreaterThan(10);
    for (int i = 2; i < at.size(); i++) {
      assertThat(Duration.between(at.get(i - 2), at.get(i)).toSeconds()).isGreaterThanOrEqualTo(30);
    }
    for (int id = 1; id <= 50; id++) {
      int runner = id;
      assertThat(service.asked.stream().filter(a -> a.equals("DELETE " + runner)).count())
          .isLessThanOrEqualTo(2);
    }
    assertThat(service.count("kube delete")).isZero();
  }

  @Test
  void i3ARemovalInBetweenDoesNotAllowAThirdUselessAnswer() {
    haveJobs(1, 1);
    haveJobs(3, 9);
    surplus(9, 9);
    answerAll();
    assertThat(requests("busy")).isEqualTo(2);
    assertThat(requests("removed")).isOne();
    pass(29);
    assertThat(requests).isEmpty();
    pass(1);
    assertThat(requests).isNotEmpty();
  }

  @Test
  void anErrorCostsItsRunnerABackoffAndOthersGoFirst() {
    fail(1, 1);
    surplus(5, 2);
    answerAll();
    assertThat(asked()).isEqualTo(3);
    var failed = memory.removals().of("uid-r1", null);
    assertThat(failed.retryAt()).isEqualTo(service.clock.instant().plusSeconds(2));
    assertThat(failed.failed()).isTrue();
    assertThat(failed.askedToGo()).isFalse();
  }

  @Test
  void twoErrorsInARowMakeTheSetWait() {
    fail(1, 300);
    surplus(300, 300);
    answerAll();
    assertThat(asked()).isEqualTo(2);
    pass(29);
    assertThat(requests).isEmpty();
    pass(1);
    answerAll();
    assertThat(asked()).isEqualTo(4);
    pass(59);
    assertThat(requests).as("doubled").isEmpty();
  }

  @Test
  void anErrorNowAndThenHoldsUpNothing() {
    for (long id = 3; id <= 30; id += 3) {
      service.failing.add(id);
    }
    surplus(30, 15);
    answerAll();
    pass(1); // the last ones were all under way when one of them failed
    answerAll();
    assertThat(removed("capacity")).isEqualTo(15);
  }

  /** Else a refused delete would cost every candidate its registration. */
  @Test
  void lv4OneWhoseResourceCannotBeDeletedIsNotReplacedByAnother() {
    service.kubeFails = true;
    surplus(50, 1);
    answerAll();
    assertThat(asked()).isOne();
    var left = memory.removals().of("uid-r1", null);
    assertThat(left.resourceLeft()).isTrue();
    assertThat(left.askedToGo()).as("it is not live any more").isTrue();
    assertThat(left.retryAt()).isEqualTo(service.clock.instant().plusSeconds(2));
    assertThat(memory.removals().countRemovedSince(T0)).as("of the idle ones").isOne();
  }

  @Test
  void aFailureThatWasNotForeseenDoesNotLoseTheRunner() {
    service.duringDelete =
        () -> {
          throw new IllegalStateException("surprise");
        };
    surplus(1, 1);
    answerAll();
    var view = memory.removals().of("uid-r1", null);
    assertThat(view.askedToGo()).isFalse();
    assertThat(view.underWay()).isFalse();
    assertThat(view.retryAt()).isNotNull();
  }

  /** Counted again, it would lower the bound of SD4 and hold a surplus runner for minutes. */
  @Test
  void sd4ARemovalCountsFromTheInstantOfItsRequest() {
    surplus(3, 1);
    var asked = service.clock.instant();
    assertThat(memory.removals().countRemovedSince(asked)).as("while it is under way").isOne();
    answerAll();
    assertThat(memory.removals().removedSince(asked)).isOne();
    assertThat(memory.removals().removedSince(asked.plusMillis(1))).isZero();
    haveJobs(2, 2);
    replicas = 1;
    reconcile();
    pass(1);
    requests.remove().run();
    assertThat(memory.removals().countRemovedSince(asked.plusMillis(1))).as("a refusal").isZero();
  }

  /** Else its replacement would be made before the service refuses to remove it (SD10). */
  @Test
  void sd10ARunnerOnACordonedNodeCountsUntilTheServiceHasAnswered() {
    for (int id = 1; id <= 2; id++) {
      runner(id);
    }
    replicas = 2;
    assertThat(cordons.seen(NODE, true, List.of(), T0)).isTrue();
    reconcile();
    assertThat(requests).hasSize(2);
    assertThat(memory.removals().of("uid-r1", null).askedToGo()).isFalse();
    reconcile();
    assertThat(requests).as("once each").hasSize(2);
    runnerByName.keySet().forEach(name -> service.withJob.add(Long.valueOf(name.substring(1))));
    answerAll();
    assertThat(memory.removals().of("uid-r1", null).askedToGo()).isFalse();
    assertThat(asked()).isEqualTo(2);
  }

  @Test
  void sd10ARunnerThatAPersonMarkedGoesAsSoonAsItHasNoJob() {
    for (int id = 1; id <= 3; id++) {
      runner(id);
    }
    replicas = 3;
    var marked = runnerByName.get("r2");
    marked
        .getMetadata()
        .setAnnotations(Map.of(Labels.RETIRE, "true", Labels.SET_UID, "uid-of-runner-set"));
    marked.setStatus(busy());
    reconcile();
    assertThat(requests).as("never with a job").isEmpty();
    marked.setStatus(status(2));
    reconcile();
    assertThat(memory.removals().of("uid-r2", null).askedToGo()).as("its place counts").isFalse();
    answerAll();
    assertThat(service.asked).containsExactly("DELETE 2", "kube delete r2");
    assertThat(removed("retired")).isOne();
    assertThat(noted)
        .containsExactly(
            "linux RunnerRetired: runner r2 is removed, since a person marked it with the"
                + " annotation runnerset.dev/retire");
  }

  @ParameterizedTest(name = "SD6 with a registration: {0}, next backoff {1} s")
  @CsvSource({"true, 30", "false, 60"})
  void onlyARemovalThatTheServiceAnsweredEndsTheDoubling(boolean registered, int seconds) {
    haveJobs(1, 4);
    surplus(5, 5);
    answerAll(); // r1 and r2 are refused
    runnerByName.get("r5").setStatus(status(registered ? 5 : 0, RunnerPhase.RUNNING, null, null));
    List.of("r3", "r4").forEach(name -> runnerByName.get(name).setStatus(busy()));
    pass(30);
    answerAll();
    assertThat(service.count("kube delete")).isOne();
    List.of("r3", "r4")
        .forEach(name -> runnerByName.get(name).setStatus(status(name.charAt(1) - '0')));
    pass(1);
    answerAll();
    assertThat(requests("busy")).isEqualTo(4);
    var now = service.clock.instant();
    assertThat(memory.removals().freeAt(now)).isEqualTo(now.plusSeconds(seconds));
  }

  private static EphemeralRunnerStatus status(long id) {
    return status(id, RunnerPhase.RUNNING, null, null);
  }

  private static EphemeralRunnerStatus busy() {
    return status(1, RunnerPhase.RUNNING, 7L, null);
  }

  /** The idle count of the new scale set never held it (SD4). */
  @Test
  void theRemovalOfOneOfTheFormerScaleSetIsNoneOfTheIdleCount() {
    var former = runner(1);
    former.setSpec(
        EphemeralRunnerSpec.builder(
                "https://github.com/o", new NameReference("s"), FakeService.OURS + 1)
            .revision(revision)
            .setGeneration(1L)
            .build());
    reconcile();
    answerAll();
    assertThat(removed("scale_set")).isOne();
    assertThat(memory.removals().countRemovedSince(T0)).isZero();
  }

  /** One that hangs after its job: the service is asked, and a refusal means a job all the same. */
  @ParameterizedTest(name = "the service says that it has a job: {0}")
  @CsvSource({"true", "false"})
  void oneThatDoesNotEndAfterItsJobGoesTheSameWay(boolean hasJob) {
    if (hasJob) {
      haveJobs(1, 1);
    }
    runner(1).setStatus(status(1, RunnerPhase.RUNNING, 7L, 1L));
    reconcile();
    pass(179);
    assertThat(requests).isEmpty();
    pass(1);
    answerAll();
    assertThat(asked()).isOne();
    assertThat(service.count("kube delete r1")).isEqualTo(hasJob ? 0 : 1);
    assertThat(removed("overdue")).isEqualTo(hasJob ? 0 : 1);
    assertThat(memory.removals().countRemovedSince(T0)).as("it was no idle one").isZero();
  }

  @Test
  void noRequestBeginsTwiceForARunner() {
    surplus(3, 1);
    var view = Runners.idle("r1").view();
    assertThat(
            memory
                .removals()
                .begin(view, RemovalReason.UNREGISTERED, () -> true, service.clock.instant()))
        .as("its removal is under way")
        .isFalse();
    answerAll();
    assertThat(
            memory
                .removals()
                .begin(view, RemovalReason.UNREGISTERED, () -> true, service.clock.instant()))
        .as("it is gone")
        .isFalse();
    assertThat(memory.removals().free(service.clock.instant())).isEqualTo(2);
  }

  @Test
  void sd10NoOtherOneGoesInThePlaceOfOneThatIsBeingRemoved() {
    for (int id = 1; id <= 3; id++) {
      runner(id);
    }
    replicas = 3;
    runnerByName
        .get("r3")
        .getMetadata()
        .setAnnotations(Map.of(Labels.RETIRE, "true", Labels.SET_UID, "uid-of-runner-set"));
    reconcile();
    replicas = 2;
    reconcile();
    pass(2);
    assertThat(requests).as("r3 alone").hasSize(1);
    answerAll();
    assertThat(asked()).isOne();
  }

  @Test
  void eachReasonIsCountedUnderItsNameAndNoOther() {
    surplus(2, 1);
    answerAll();
    assertThat(removed("capacity")).isOne();
    for (var reason : RemovalReason.values()) {
      if (reason.isCounted() && reason != RemovalReason.SCALE_DOWN) {
        assertThat(removed(reason.word())).as(reason.sentence()).isZero();
      }
    }
  }
}
