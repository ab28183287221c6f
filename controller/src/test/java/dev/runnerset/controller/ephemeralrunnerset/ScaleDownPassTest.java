package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.EphemeralRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One walk over surplus runners (SD5, SD6, SD7); runner {@code rN} has the id N. */
class ScaleDownPassTest {
  private final FakeService service = new FakeService();
  private final SetMemory memory = new SetMemory();
  private final HashMap<String, EphemeralRunner> runnerByUid = new HashMap<>();

  private ScaleDownPass.Tally walk(int candidates, int wanted, IntSupplier surplusNow) {
    return walk(candidates, wanted, RemovalReason.SCALE_DOWN, surplusNow);
  }

  private ScaleDownPass.Tally walk(
      int candidates, int wanted, RemovalReason reason, IntSupplier surplusNow) {
    var views = new ArrayList<RunnerView>();
    for (int i = 1; i <= candidates; i++) {
      views.add(Runners.idle("r" + i).view());
      runnerByUid.putIfAbsent("uid-r" + i, FakeService.runner("r" + i, i));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return new ScaleDownPass(service.remover(), threads, new Meters(), service.clock)
          .walk(
              new RemovalPlan(views, wanted, reason, RequeueTime.NEVER),
              recheck(surplusNow),
              memory.removals());
    }
  }

  private ScaleDownPass.Recheck recheck(IntSupplier surplusNow) {
    return new ScaleDownPass.Recheck() {
      @Override
      public int allowed() {
        return surplusNow.getAsInt();
      }

      @Override
      public @Nullable EphemeralRunner candidate(RunnerView chosen) {
        return runnerByUid.get(chosen.uid());
      }
    };
  }

  /** It has no registration yet. */
  private void pending(int id) {
    runnerByUid.put("uid-r" + id, FakeService.runner("r" + id, 0));
  }

  private void haveJobs(int... ids) {
    for (int id : ids) {
      service.withJob.add((long) id);
    }
  }

  @Test
  void itEndsWhenTheSurplusIsGone() {
    assertThat(walk(10, 8, () -> 8)).isEqualTo(new ScaleDownPass.Tally(8, 8, 0, 0));
    assertThat(service.asked).doesNotContain("DELETE 9", "DELETE 10");
  }

  /** Counted again, it would lower the bound of SD4 and hold a surplus runner for minutes. */
  @Test
  void aRemovalThatAnObservationSawIsNotCountedAgain() {
    var observedAt = service.clock.instant().plusSeconds(1);
    // the statistics come in while the removal is under way
    service.duringDelete = () -> service.clock.set(observedAt.plusSeconds(1));
    assertThat(walk(1, 1, () -> 1)).isEqualTo(new ScaleDownPass.Tally(1, 1, 0, 0));
    assertThat(memory.removals().removedSince(observedAt)).isZero();
  }

  /** Else its replacement would be made before the service refuses to remove it (SD10). */
  @ParameterizedTest
  @CsvSource({"CORDONED,false", "SCALE_DOWN,true"})
  void aRunnerOnACordonedNodeCountsUntilTheServiceHasAnswered(
      RemovalReason reason, boolean goingWhileAsked) {
    var during = new ArrayList<Boolean>();
    service.duringDelete = () -> during.add(memory.removals().isAskedToGo("uid-r1"));
    assertThat(walk(1, 1, reason, () -> 1)).isEqualTo(new ScaleDownPass.Tally(1, 1, 0, 0));
    assertThat(during).containsExactly(goingWhileAsked);
    assertThat(memory.removals().isAskedToGo("uid-r1")).isTrue();
  }

  @Test
  void lv4ARunnerWhoseResourceCannotBeDeletedAfter204IsNotLiveAnyMore() {
    service.kubeFails = true;
    var observedAt = service.clock.instant();
    assertThat(walk(1, 1, () -> 1)).isEqualTo(new ScaleDownPass.Tally(0, 0, 0, 0));
    var view = memory.removals().view("uid-r1", false, null);
    assertThat(view.resourceLeft()).isTrue();
    assertThat(view.askedToGo()).isTrue();
    assertThat(view.retryAt()).isNotNull();
    assertThat(memory.removals().countRemovedSince(observedAt)).as("of the idle ones").isOne();
    memory.removals().askedToGo("uid-r1");
    assertThat(memory.removals().view("uid-r1", false, null).resourceLeft())
        .as("its deletion is under way")
        .isFalse();
  }

  @Test
  void refusalsDoNotCountAsRemovedAndTheWalkGoesOn() {
    haveJobs(2);
    assertThat(walk(10, 3, () -> 3)).isEqualTo(new ScaleDownPass.Tally(3, 3, 1, 0));
    assertThat(service.asked).contains("DELETE 4").doesNotContain("DELETE 5", "kube delete r2");
  }

  @ParameterizedTest(name = "I3 {0} candidates, all with a job")
  @CsvSource({"1,1", "2,2", "3,2", "50,2"})
  void i3AtMostTwoRefusalsAPass(int candidates, int refused) {
    for (int i = 1; i <= candidates; i++) {
      haveJobs(i);
    }
    assertThat(walk(candidates, candidates, () -> candidates))
        .isEqualTo(new ScaleDownPass.Tally(0, 0, refused, 0));
    assertThat(service.count("DELETE")).isEqualTo(refused);
    assertThat(service.count("kube delete")).isZero();
  }

  @Test
  void neverMoreInFlightThanRefusalsAreLeft() {
    haveJobs(1);
    var both = new CountDownLatch(2);
    service.duringDelete =
        () -> {
          both.countDown();
          try {
            assertThat(both.await(10, TimeUnit.SECONDS)).isTrue(); // the first two are at once
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          if (service.count("DELETE") > 2) {
            assertThat(service.inFlight.get()).isOne();
          }
        };
    assertThat(walk(9, 5, () -> 5)).isEqualTo(new ScaleDownPass.Tally(5, 5, 1, 0));
    assertThat(service.mostInFlight.get()).isEqualTo(2);
  }

  @Test
  void i3ARefusalOfThePassBeforeIsStillSpent() {
    assertThat(memory.removals().beginPass(0)).isTrue();
    memory.removals().endPass(0, 1, 0, T0);
    haveJobs(1, 2, 3);
    assertThat(walk(3, 3, () -> 3).refused()).isOne();
    assertThat(service.mostInFlight.get()).isOne();
  }

  @Test
  void anErrorCostsItsRunnerABackOffAndTheWalkGoesOn() {
    service.failing.add(1L);
    assertThat(walk(5, 2, () -> 2)).isEqualTo(new ScaleDownPass.Tally(2, 2, 0, 1));
    assertThat(memory.removals().retryAt("uid-r1")).isEqualTo(T0.plusSeconds(2));
    assertThat(memory.removals().hasFailed("uid-r1")).as("others go first the next time").isTrue();
    assertThat(memory.removals().isAskedToGo("uid-r1")).isFalse();
    assertThat(memory.removals().isAskedToGo("uid-r3")).isTrue();
  }

  @ParameterizedTest(name = "0018 {0} candidates, {1} too many: {2} requests to a failing service")
  @CsvSource({"300,2,2", "300,300,2", "300,1,2", "3,3,2", "1,1,1"})
  void thePassEndsAtItsSecondErrorWhateverItsReason(int candidates, int surplus, int requests) {
    for (long id = 1; id <= candidates; id++) {
      service.failing.add(id);
    }
    assertThat(walk(candidates, surplus, () -> surplus))
        .isEqualTo(new ScaleDownPass.Tally(0, 0, 0, requests));
    assertThat(service.count("DELETE")).isEqualTo(requests);
  }

  @Test
  void errorsAmongRemovalsEndThePassToo() {
    for (long id = 2; id <= 300; id += 2) {
      service.failing.add(id);
    }
    assertThat(walk(300, 100, () -> 100)).isEqualTo(new ScaleDownPass.Tally(2, 2, 0, 2));
    assertThat(service.count("DELETE")).isEqualTo(4);
  }

  /** Else a refused delete would cost every candidate its registration. */
  @Test
  void oneWhoseRegistrationAloneIsGoneIsNotReplacedByAnother() {
    service.kubeFails = true;
    assertThat(walk(50, 1, () -> 1)).isEqualTo(new ScaleDownPass.Tally(0, 0, 0, 0));
    assertThat(service.count("DELETE")).isOne();
    assertThat(memory.removals().retryAt("uid-r1")).isEqualTo(T0.plusSeconds(2));
  }

  @Test
  void anInterruptedWalkAsksForNobodyElse() {
    var walker = Thread.currentThread();
    service.duringDelete = walker::interrupt;
    var _ = walk(5, 1, () -> 5);
    assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
    assertThat(service.count("DELETE")).isOne();
    walker.interrupt();
    assertThat(walk(5, 5, () -> 5)).isEqualTo(new ScaleDownPass.Tally(0, 0, 0, 0));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(service.count("DELETE")).as("an interrupted thread begins no walk").isOne();
  }

  @Test
  void aFailureNobodyThoughtOfDoesNotLoseTheRunner() {
    service.duringDelete =
        () -> {
          throw new IllegalStateException("surprise");
        };
    assertThat(walk(1, 1, () -> 1)).isEqualTo(new ScaleDownPass.Tally(0, 0, 0, 1));
    assertThat(memory.removals().isAskedToGo("uid-r1")).isFalse();
    assertThat(memory.removals().retryAt("uid-r1")).isEqualTo(T0.plusSeconds(2));
  }

  /** SD6: only a 204 tells that the service lets runners go. */
  @Test
  void aRunnerThatGoesWithoutARequestIsNotCountedAsAnswered() {
    pending(1);
    haveJobs(2);
    assertThat(walk(3, 2, () -> 2)).isEqualTo(new ScaleDownPass.Tally(2, 1, 1, 0));
    assertThat(service.asked).contains("kube delete unchanged r1", "kube delete r3");
  }

  @Test
  void theTargetIsReadAgainBeforeEachRound() {
    var targets = new int[] {6, 6, 3}; // three rounds of two; then a job came
    var round = new int[1];
    walk(6, 6, () -> targets[Math.min(round[0]++, 2)]);
    assertThat(service.count("DELETE")).isEqualTo(4);
    assertThat(round[0]).isEqualTo(3);
  }

  @Test
  void aTargetThatRoseRemovesNobody() {
    assertThat(walk(6, 6, () -> -1)).isEqualTo(new ScaleDownPass.Tally(0, 0, 0, 0));
    assertThat(service.asked).isEmpty();
  }

  @Test
  void aLowerTargetRemovesNoMoreThanWerePlanned() {
    assertThat(walk(6, 2, () -> 6).removed()).isEqualTo(2);
  }

  @Test
  void theRefusedIsASuspectBeforeTheCacheKnows() {
    haveJobs(1);
    walk(1, 1, () -> 1);
    assertThat(memory.removals().suspectUntil("uid-r1")).isEqualTo(T0.plus(Duration.ofMinutes(5)));
    assertThat(memory.removals().isAskedToGo("uid-r1")).isFalse();
  }

  @Test
  void oneThatSomebodyElseIsRemovingIsNotReplacedByAnother() {
    var remover = service.remover();
    var shared = FakeService.runner("r1", 1);
    var view = Runners.idle("r1").view();
    var other = Runners.idle("r2").view();
    runnerByUid.put(view.uid(), shared);
    runnerByUid.put(other.uid(), FakeService.runner("r2", 2));
    var tally = new ArrayList<ScaleDownPass.Tally>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var pass = new ScaleDownPass(remover, threads, new Meters(), service.clock);
      service.duringDelete =
          () -> {
            if (tally.isEmpty()) {
              service.duringDelete = () -> {};
              tally.add(
                  pass.walk(
                      new RemovalPlan(java.util.List.of(view, other), 1, RequeueTime.NEVER),
                      recheck(() -> 1),
                      memory.removals()));
            }
          };
      var unused =
          remover.removeRegistration(
              shared, dev.runnerset.controller.removal.RemovalReason.RUNNER_DELETED);
    }
    assertThat(tally).containsExactly(new ScaleDownPass.Tally(0, 0, 0, 0));
    assertThat(service.count("DELETE")).isOne();
    assertThat(memory.removals().retryAt("uid-r1")).isEqualTo(T0.plusSeconds(2)); // no spinning
  }
}
