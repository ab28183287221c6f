package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.features.shield.LeavingNodes;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerRemoval;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Backoff, memory, views and status of a set. */
class SetStateTest {
  private static final Outcome GONE = new Outcome.Removed();

  private static Instant in(int seconds) {
    return T0.plusSeconds(seconds);
  }

  // RN10: 2 s doubling to 5 min, reset by a job

  @Test
  void theBackOffDoublesFromTwoSecondsToFiveMinutes() {
    var backoff = CreationBackoff.NONE;
    var at = T0;
    for (int seconds : new int[] {2, 4, 8, 16, 32, 64, 128, 256, 300, 300}) {
      backoff = backoff.afterFailure(at);
      assertThat(isOpen(backoff, at.plusSeconds(seconds - 1))).as("%s s", seconds).isFalse();
      assertThat(isOpen(backoff, at.plusSeconds(seconds))).as("%s s", seconds).isTrue();
      at = at.plusSeconds(seconds);
    }
    assertThat(isOpen(CreationBackoff.NONE, T0)).isTrue();
  }

  @Test
  void runnersThatFailTogetherCountOnce() {
    var one = CreationBackoff.NONE.afterFailure(T0);
    assertThat(one.afterFailure(in(1))).isEqualTo(one);
    assertThat(one.afterFailure(in(2)).failures()).isEqualTo(2);
    assertThat(one.afterFailure(in(-60))).isEqualTo(one);
  }

  @Test
  void failuresFarApartDoNotAddUp() {
    var backoff = CreationBackoff.NONE;
    for (int i = 0; i < 9; i++) {
      backoff = backoff.afterFailure(T0);
      backoff = new CreationBackoff(backoff.failures(), T0, true); // each at its first instant
    }
    var forgotten = T0.plus(CreationBackoff.FORGOTTEN_AFTER);
    assertThat(backoff.afterFailure(forgotten).failures()).isEqualTo(10);
    assertThat(backoff.afterFailure(forgotten.plusMillis(1)))
        .isEqualTo(new CreationBackoff(1, forgotten.plusMillis(1).plusSeconds(2), true));
  }

  @Test
  void runnersThatMissADeadlineOfTenMinutesAddUp() {
    var backoff = CreationBackoff.NONE;
    var at = T0;
    for (int i = 1; i <= 12; i++) {
      backoff = backoff.afterFailure(at);
      assertThat(backoff.failures()).isEqualTo(i);
      at = backoff.notBefore().plusSeconds(600);
    }
    assertThat(backoff.notBefore().plusSeconds(600)).isEqualTo(at);
  }

  @Test
  void theFirstStartAfterAFailureEndsTheProbing() {
    var memory = Gathering.memory();
    memory.creation().started();
    memory.creation().failed(T0, "why", false);
    assertThat(isProbing(memory.creation().backoff(), in(2))).isTrue();
    memory.creation().started();
    assertThat(isProbing(memory.creation().backoff(), in(2))).isFalse();
    assertThat(memory.creation().backoff().failures()).isOne();
    memory.creation().failed(in(1), "of the same wave", false);
    assertThat(isProbing(memory.creation().backoff(), in(2))).isFalse();
    memory.creation().failed(in(2), "of the next", false);
    assertThat(isProbing(memory.creation().backoff(), in(6))).isTrue();
  }

  @Test
  void theProbingEndsWhenTheFailuresAreForgotten() {
    var backoff = CreationBackoff.NONE.afterFailure(T0);
    assertThat(backoff.forgottenAt()).isEqualTo(in(2).plus(CreationBackoff.FORGOTTEN_AFTER));
    assertThat(isProbing(backoff, backoff.forgottenAt().minusNanos(1))).isTrue();
    assertThat(isProbing(backoff, backoff.forgottenAt())).isFalse();
    assertThat(isProbing(CreationBackoff.NONE, T0)).isFalse();
  }

  @Test
  void aStartIsLearnedFromAStatusThatNamesThePod() {
    var made = runner(RunnerPhase.PENDING, null, null, null, null, null);
    assertThat(view(made).podMade()).isFalse();
    made.setStatus(Serialization.unmarshal("{\"podName\": \"a\"}", EphemeralRunnerStatus.class));
    assertThat(view(made).podMade()).isTrue();
    assertThat(view(runner(RunnerPhase.RUNNING, null, null, T0, null, null)).podMade()).isTrue();
  }

  @Test
  void aFailureAStartAndAJobAreNewsOnce() {
    var memory = Gathering.memory();
    var runners = new RunnersOfSet(T0);
    var failed = Runners.pending("u").phase(RunnerPhase.FAILED).endedAt(T0).view();
    var busy = Runners.busy("j").view();
    learn(memory, runners, List.of(failed));
    assertThat(isProbing(memory.creation().backoff(), T0)).isTrue();
    learn(memory, runners, List.of(failed));
    assertThat(memory.creation().backoff().failures()).isOne();
    learn(memory, runners, List.of(failed, busy));
    assertThat(memory.creation().backoff()).isEqualTo(CreationBackoff.NONE);
    var again = Runners.pending("v").phase(RunnerPhase.FAILED).endedAt(in(60)).view();
    learn(memory, runners, List.of(failed, busy, again));
    learn(memory, runners, List.of(failed, busy, again));
    assertThat(memory.creation().backoff().failures()).isOne();
    assertThat(isProbing(memory.creation().backoff(), in(60))).isTrue();
    learn(memory, runners, List.of(failed, busy, again, Runners.pending("s").podMade().view()));
    assertThat(isProbing(memory.creation().backoff(), in(60))).isFalse();
    assertThat(memory.creation().failures(in(60)))
        .extracting(f -> f.last())
        .isEqualTo("a runner failed");
  }

  private static void learn(SetMemory memory, RunnersOfSet runners, List<RunnerView> now) {
    RunnerGathering.learn(memory, Runners.next(runners, now, T0).changes(), false);
  }

  @Test
  void theRetryOfARemovalDoublesFromTwoSecondsToAMinute() {
    var memory = Gathering.memory();
    for (int seconds : new int[] {2, 4, 8, 16, 32, 60, 60}) {
      memory.removals().askedToGo("u");
      memory.removals().failed("u", T0);
      assertThat(memory.removals().of("u", null).retryAt()).isEqualTo(in(seconds));
      assertThat(memory.removals().of("u", null).askedToGo()).isFalse();
    }
  }

  @Test
  void removalsCountUntilAnObservationSawThem() {
    var memory = Gathering.memory();
    for (var runner : List.of(Runners.idle("a"), Runners.idle("b"), Runners.pending("c"))) {
      var at = runner.view().name().equals("a") ? T0 : in(10);
      assertThat(memory.removals().begin(runner.view(), RemovalReason.SCALE_DOWN, () -> true, at))
          .isTrue();
      memory.removals().end(runner.view().uid(), RemovalReason.SCALE_DOWN, GONE, null, at);
    }
    assertThat(memory.removals().removedSince(T0)).isEqualTo(2);
    assertThat(memory.removals().removedSince(in(1))).isEqualTo(1);
    assertThat(memory.removals().removedSince(in(11))).isZero();
    assertThat(memory.removals().removedSince(null)).isZero();
  }

  @Test
  void runnersThatAreGoneAreForgotten() {
    var memory = Gathering.memory();
    memory.removals().askedToGo("a");
    memory.removals().failed("b", T0);
    memory.removals().isGone("a");
    memory.removals().isGone("b");
    assertThat(memory.removals().of("a", null)).isEqualTo(RunnerView.Removal.NONE);
    assertThat(memory.removals().of("b", null)).isEqualTo(RunnerView.Removal.NONE);
  }

  @Test
  void sd6TwoRemovalsAreUnderWayAtATimeWhoeverAsks() {
    var removals = Gathering.memory().removals();
    assertThat(removals.begin(T0)).isTrue();
    assertThat(removals.begin(Runners.idle("a").view(), RemovalReason.SCALE_DOWN, () -> true, T0))
        .isTrue();
    assertThat(removals.begin(T0)).isFalse();
    assertThat(removals.free(T0)).isZero();
    removals.end(new Outcome.Removed(false), false, T0);
    assertThat(removals.free(T0)).isOne();
  }

  @Test
  void sd6TheRefusalsOfRequestsOfRunnersCountAndTheirErrorsDoNot() {
    for (var outcome :
        List.of(new Outcome.Refused(), new Outcome.Failed(RunnerReason.UNKNOWN, "no answer"))) {
      var removals = Gathering.memory().removals();
      assertThat(removals.begin(T0)).isTrue();
      assertThat(removals.begin(T0)).isTrue();
      removals.end(outcome, false, T0);
      removals.end(outcome, false, T0);
      var closed = outcome instanceof Outcome.Refused;
      assertThat(removals.begin(T0)).as("%s", outcome).isEqualTo(!closed);
    }
  }

  // views

  private static EphemeralRunner runner(
      @Nullable RunnerPhase phase,
      @Nullable String job,
      @Nullable Long completedIn,
      @Nullable Instant idleSince,
      @Nullable Instant completion,
      @Nullable RunnerRemoval removal) {
    var runner = FakeService.runner("a", 7);
    runner.getMetadata().setCreationTimestamp("2026-01-01T00:00:00Z");
    runner.setStatus(
        EphemeralRunnerStatus.builder()
            .phase(phase)
            .runnerId(7L)
            .runnerName("a")
            .jobId(job)
            .job(completedIn == null ? null : new RunnerJob(null, null, null, null, null, null, 3L))
            .idleSince(idleSince)
            .completionTime(completion)
            .removal(removal)
            .build());
    return runner;
  }

  private static RunnerView view(EphemeralRunner runner) {
    return view(runner, Optional.empty(), Gathering.memory());
  }

  private static RunnerView view(
      EphemeralRunner runner, Optional<RunnerExit> exit, SetMemory memory) {
    var exits = new RunnerExits(new Memories(), changed -> {});
    exit.ifPresent(end -> exits.record(runner, end));
    return new RunnerGathering(exits, new LeavingNodes(LeavingTaints.DEFAULT), Duration.ZERO)
        .view(SimSet.of(1, null, "r", null), runner, memory, T0);
  }

  @Test
  void aRunnerWithoutAStatusIsPendingSinceItsCreation() {
    var runner = runner(null, null, null, null, null, null);
    runner.setStatus(null);
    assertThat(view(runner)).isEqualTo(Runners.pending("a").resource(runner).view());
  }

  @Test
  void aRunnerIsReadyOnceItIsIdle() {
    var view = view(runner(RunnerPhase.RUNNING, null, null, in(5), null, null));
    assertThat(view.ready()).isTrue();
    assertThat(view.idleSince()).isEqualTo(in(5));
    assertThat(view.isWithoutJob()).isTrue();
  }

  @Test
  void aJobIdMakesItBusyAndACompletionReleasesIt() {
    assertThat(view(runner(RunnerPhase.RUNNING, "j", null, T0, null, null)).isRunningJob())
        .isTrue();
    var over = view(runner(RunnerPhase.RUNNING, "j", 3L, T0, null, null));
    assertThat(over.completedIn()).isEqualTo(3);
    assertThat(over.busy()).isTrue();
  }

  @Test
  void anEndIsKnownFromTheExitTheStatusOrTheCreation() {
    var running = runner(RunnerPhase.RUNNING, null, null, T0, null, null);
    var exit = Optional.of(new RunnerExit(in(9), 0));
    assertThat(view(running, exit, Gathering.memory()).endedAt()).isEqualTo(in(9));
    assertThat(view(running).endedAt()).isNull();
    assertThat(view(runner(RunnerPhase.FAILED, null, null, T0, in(8), null)).endedAt())
        .isEqualTo(in(8));
    assertThat(view(runner(RunnerPhase.FAILED, null, null, T0, null, null)).endedAt())
        .isEqualTo(T0);
  }

  private static void refused(SetMemory memory, Instant until) {
    var removals = memory.removals();
    assertThat(removals.begin(Runners.idle("a").view(), RemovalReason.SCALE_DOWN, () -> true, T0))
        .isTrue();
    removals.end("uid-a", RemovalReason.SCALE_DOWN, new Outcome.Refused(), until, T0);
  }

  @Test
  void theLaterOfTwoRefusalsCounts() {
    var memory = Gathering.memory();
    var runner = runner(RunnerPhase.RUNNING, null, null, T0, null, new RunnerRemoval(in(300), 1));
    assertThat(view(runner, Optional.empty(), memory).removal().busySuspectUntil())
        .isEqualTo(in(300));
    refused(memory, in(600));
    assertThat(view(runner, Optional.empty(), memory).removal().busySuspectUntil())
        .isEqualTo(in(600));
    refused(memory, in(200));
    assertThat(view(runner, Optional.empty(), memory).removal().busySuspectUntil())
        .isEqualTo(in(300));
  }

  @Test
  void whatTheProcessAskedForIsInTheView() {
    var memory = Gathering.memory();
    var runner = runner(RunnerPhase.RUNNING, null, null, T0, null, null);
    runner.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
    memory.removals().failed("uid-a", T0);
    memory.removals().askedToGo("uid-a");
    var view = view(runner, Optional.empty(), memory);
    assertThat(view.askedToGo()).isTrue();
    assertThat(view.terminating()).isTrue();
    assertThat(view.removal().retryAt()).isEqualTo(in(2));
  }

  /** Whether runners may be made by now. */
  static boolean isOpen(CreationBackoff backoff, Instant now) {
    return !now.isBefore(backoff.notBefore());
  }

  /** Whether only a few runners may be made, until one of them starts. */
  private static boolean isProbing(CreationBackoff backoff, Instant now) {
    return backoff.probing() && now.isBefore(backoff.forgottenAt());
  }
}
