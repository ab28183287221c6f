package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.FakeService.runner;
import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.crds.RunnerRemoval;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Registration first, resource second; and what is never asked (SD7, SD8). */
class ServiceRunnerRemoverTest {
  private final FakeService service = new FakeService();
  private final ServiceRunnerRemover remover = service.remover();

  private Outcome surplus(String name, long id) {
    return remover.removeSurplus(runner(name, id), RemovalReason.SCALE_DOWN);
  }

  private Outcome registration(String name, long id, RemovalReason reason) {
    return remover.removeRegistration(runner(name, id), reason);
  }

  @Test
  void theRegistrationGoesFirstAndTheResourceSecond() {
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Removed());
    assertThat(service.asked).containsExactly("DELETE 7", "kube delete a");
    assertThat(remover.isRemoved("uid-a", 7)).isTrue();
  }

  @Test
  void i2ARefusedRunnerKeepsItsResourceAndBecomesASuspect() {
    service.withJob.add(7L);
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Refused());
    assertThat(service.asked).containsExactly("DELETE 7", "kube removal a");
    assertThat(service.writtenByName.get("a"))
        .isEqualTo(new RunnerRemoval(T0.plus(Duration.ofMinutes(5)), 1));
    assertThat(remover.isRemoved("uid-a", 7)).isFalse();
  }

  @Test
  void aFailureKeepsTheResourceAndIsNoRefusal() {
    service.failing.add(7L);
    assertThat(surplus("a", 7)).isInstanceOf(Outcome.Failed.class);
    assertThat(service.asked).containsExactly("DELETE 7");
  }

  @Test
  void after204TheServiceIsNotAskedAgain() {
    surplus("a", 7);
    assertThat(registration("a", 7, RemovalReason.RUNNER_DELETED))
        .isEqualTo(new Outcome.Removed(false));
    assertThat(service.count("DELETE")).isOne();
  }

  @Test
  void aResourceThatCouldNotBeDeletedIsDeletedLaterWithoutAnotherRequest() {
    service.kubeFails = true;
    assertThat(surplus("a", 7))
        .as("its registration is removed")
        .isEqualTo(new Outcome.ResourceLeft());
    service.kubeFails = false;
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Removed(false));
    assertThat(service.asked).containsExactly("DELETE 7", "kube delete a", "kube delete a");
  }

  @Test
  void removedIsSaidOnceARunner() {
    surplus("a", 7);
    service.gone = true;
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.UnderWay());
    assertThat(service.count("DELETE")).isOne();
  }

  @Test
  void i3ARefusalThatCouldNotBeWrittenIsARefusalAllTheSame() {
    service.withJob.add(7L);
    service.kubeFails = true;
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Refused());
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Refused());
    assertThat(service.count("DELETE")).isOne();
    assertThat(remover.suspectUntil(runner("a", 7))).isEqualTo(T0.plus(Duration.ofMinutes(5)));
  }

  @Test
  void i3WhileASuspicionStandsNobodyAsksAndThenTheNextIsLonger() {
    service.withJob.add(7L);
    var asked = new ArrayList<Long>();
    for (int second = 0; second <= 900; second++) {
      service.clock.set(T0.plusSeconds(second));
      long before = service.count("DELETE");
      surplus("a", 7);
      registration("a", 7, RemovalReason.RUNNER_DELETED);
      if (service.count("DELETE") > before) {
        asked.add((long) second);
      }
    }
    assertThat(asked).containsExactly(0L, 300L, 900L);
  }

  @Test
  void theRefusalInTheStatusCountsAfterARestart() {
    var old = runner("a", 7);
    old.setStatus(
        old.getStatus().toBuilder()
            .runnerId(7L)
            .runnerName("a")
            .removal(new RunnerRemoval(T0.plusSeconds(1), 1))
            .build());
    assertThat(remover.removeSurplus(old, RemovalReason.SCALE_DOWN))
        .isEqualTo(new Outcome.Refused());
    assertThat(service.asked).isEmpty();
    service.clock.set(T0.plusSeconds(1));
    service.withJob.add(7L);
    remover.removeSurplus(old, RemovalReason.SCALE_DOWN);
    assertThat(service.writtenByName.get("a"))
        .isEqualTo(new RunnerRemoval(service.clock.instant().plus(Duration.ofMinutes(10)), 2));
  }

  @Test
  void theEndOfARunnerClearsItsFirstRefusalOnly() {
    service.withJob.add(7L);
    surplus("a", 7);
    registration("a", 7, RemovalReason.ENDED);
    registration("a", 7, RemovalReason.ENDED);
    assertThat(service.count("DELETE")).isEqualTo(2);
    service.withJob.clear();
    service.clock.set(T0.plus(Duration.ofMinutes(10)));
    assertThat(registration("a", 7, RemovalReason.ENDED)).isEqualTo(new Outcome.Removed());
  }

  @Test
  void withoutAnIdTheSecretTells() {
    service.idInSecretByName.put("a", 9L);
    assertThat(surplus("a", 0)).isEqualTo(new Outcome.Removed());
    assertThat(service.asked).containsExactly("DELETE 9", "kube delete a");
  }

  @Test
  void withoutAnyIdTheResourceGoesUnchangedAndWithoutACall() {
    assertThat(surplus("a", 0)).isEqualTo(new Outcome.Removed(false));
    assertThat(service.asked).containsExactly("kube delete unchanged a");
    assertThat(remover.isRemoved("uid-a", 7)).isFalse();
  }

  @Test
  void oneThatChangedMeanwhileIsLeftForAnotherLook() {
    service.changed = true;
    assertThat(surplus("a", 0)).isEqualTo(new Outcome.UnderWay());
  }

  @Test
  void theFinalizerLooksForARegistrationUnderTheName() {
    service.registered("a", 7, FakeService.OURS);
    assertThat(registration("a", 0, RemovalReason.RUNNER_DELETED)).isEqualTo(new Outcome.Removed());
    assertThat(service.asked).containsExactly("NAME a", "DELETE 7");
  }

  @Test
  void i5ARegistrationOfAnotherScaleSetIsNeverTouched() {
    service.registered("a", 7, FakeService.OURS + 1);
    assertThat(registration("a", 0, RemovalReason.RUNNER_DELETED))
        .isEqualTo(new Outcome.Removed(false));
    assertThat(service.asked).containsExactly("NAME a");
  }

  @Test
  void i1ARemovalOfOneIdSaysNothingOfAnother() {
    service.kubeFails = true; // the resource stays after its registration is removed
    surplus("a", 7);
    service.kubeFails = false;
    assertThat(remover.isRemoved("uid-a", 8)).isFalse();
    service.withJob.add(8L);
    assertThat(registration("a", 8, RemovalReason.RUNNER_DELETED)).isEqualTo(new Outcome.Refused());
    assertThat(service.count("DELETE 8")).isOne();
  }

  @Test
  void i1AnUnknownIdIsConfirmedByTheNameBeforeTheRunnerGoes() {
    service.unknown.add(7L);
    service.registered("a", 8, FakeService.OURS);
    service.withJob.add(8L);
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Refused());
    assertThat(service.asked).containsExactly("DELETE 7", "NAME a", "DELETE 8", "kube removal a");
    assertThat(remover.isRemoved("uid-a", 7)).isFalse();
  }

  @Test
  void i5TheOtherRegistrationOfTheNameGoesWhenItIsIdle() {
    service.unknown.add(7L);
    service.registered("a", 8, FakeService.OURS);
    assertThat(registration("a", 7, RemovalReason.RUNNER_DELETED)).isEqualTo(new Outcome.Removed());
    assertThat(service.asked).containsExactly("DELETE 7", "NAME a", "DELETE 8");
  }

  @Test
  void anUnknownIdWithoutAnotherOfTheNameIsGone() {
    service.unknown.add(7L);
    service.registered("a", 8, FakeService.OURS + 1);
    assertThat(registration("a", 7, RemovalReason.RUNNER_DELETED))
        .isEqualTo(new Outcome.Removed(false));
    assertThat(service.asked).containsExactly("DELETE 7", "NAME a");
    assertThat(remover.isRemoved("uid-a", 7)).isTrue();
  }

  @Test
  void ofAnEndThatNobodyHeardOfItIsLookedUpWhetherTheServiceStillHadTheRunner() {
    service.registered("a", 7, FakeService.OURS);
    assertThat(registration("a", 7, RemovalReason.ENDED_UNHEARD)).isEqualTo(new Outcome.Removed());
    assertThat(registration("b", 8, RemovalReason.ENDED_UNHEARD))
        .as("204, though the service does not know it")
        .isEqualTo(new Outcome.Removed(false));
    assertThat(service.asked).containsExactly("NAME a", "DELETE 7", "NAME b", "DELETE 8");
  }

  @Test
  void rn8OfAnEndByDeletionNothingIsRemovedThatTheServiceDoesNotHave() {
    service.registered("a", 7, FakeService.OURS);
    assertThat(registration("a", 7, RemovalReason.ENDED_BY_DELETION))
        .isEqualTo(new Outcome.Removed());
    assertThat(registration("b", 8, RemovalReason.ENDED_BY_DELETION))
        .isEqualTo(new Outcome.Removed(false));
    assertThat(service.asked).containsExactly("NAME a", "DELETE 7", "NAME b");
    assertThat(remover.isRemoved("uid-b", 8)).as("it is asked for again").isFalse();
  }

  @Test
  void theNameIsNotAskedForOnceTheContainerHasEnded() {
    service.unknown.add(7L);
    assertThat(registration("a", 7, RemovalReason.ENDED)).isEqualTo(new Outcome.Removed(false));
    assertThat(service.asked).containsExactly("DELETE 7");
  }

  @Test
  void i5OfAStartInDoubtWhateverBearsTheNameGoesToo() {
    service.registered("a", 8, FakeService.OURS);
    assertThat(remover.removeAll(runner("a", 7), RemovalReason.RUNNER_DELETED))
        .isEqualTo(new Outcome.Removed());
    assertThat(service.asked).containsExactly("DELETE 7", "NAME a", "DELETE 8");
  }

  @Test
  void aRefusedIdEndsTheRemovalOfAll() {
    service.withJob.add(7L);
    assertThat(remover.removeAll(runner("a", 7), RemovalReason.RUNNER_DELETED))
        .isEqualTo(new Outcome.Refused());
    assertThat(service.asked).containsExactly("DELETE 7", "kube removal a");
  }

  @Test
  void oneRequestAtATimeForARunner() {
    var inner = new ArrayList<Outcome>();
    service.duringDelete =
        () -> {
          if (inner.isEmpty()) {
            inner.add(surplus("a", 7));
            inner.add(registration("a", 7, RemovalReason.RUNNER_DELETED));
          }
        };
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Removed());
    assertThat(inner).containsOnly(new Outcome.UnderWay());
    assertThat(service.count("DELETE")).isOne();
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Removed(false)); // no longer under way
  }

  /** A restored service gave the id to a runner of somebody else; ours is not there any more. */
  @Test
  void i5AfterARestoreTheRunnerOfSomebodyElseStays() {
    service.doubted = true;
    service.registered("theirs", 7, 9);
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Removed(false));
    assertThat(service.asked).containsExactly("GET 7", "NAME a", "kube delete a");
    assertThat(registration("b", 7, RemovalReason.ENDED)).isEqualTo(new Outcome.Removed(false));
    assertThat(remover.removeSurplus(runner("c", 7), RemovalReason.FORMER_SCALE_SET))
        .isEqualTo(new Outcome.Removed(false));
    assertThat(service.count("DELETE")).isZero();
  }

  @Test
  void i5AfterARestoreOurOwnRunnerGoesAfterALook() {
    service.doubted = true;
    service.registered("a", 7, FakeService.OURS);
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Removed());
    assertThat(service.asked).containsExactly("GET 7", "DELETE 7", "kube delete a");
  }

  /** It has our runner's name, but is of somebody else's scale set. */
  @Test
  void i5AfterARestoreTheRunnerOfTheNameInAnotherScaleSetStays() {
    service.doubted = true;
    service.registered("a", 7, FakeService.OURS + 1);
    assertThat(surplus("a", 7)).isEqualTo(new Outcome.Removed(false));
    assertThat(service.count("DELETE")).isZero();
  }

  @Test
  void i5ALeftOverIsReadOnceBeforeItGoes() {
    service.doubted = true;
    service.registered("a", 7, FakeService.OURS);
    assertThat(remover.removeLeftOver(runner("a", 7))).contains(new Outcome.Removed());
    assertThat(service.asked).containsExactly("GET 7", "DELETE 7");
  }
}
