package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.gc.CollectionLedger;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.testsupport.CallerThread;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A sweep's removals through the pass and the budget of scale-down; runner {@code rN} has id N. */
class AgePassTest implements SetCaches {
  private static final SetKey KEY = new SetKey("ns", "linux");

  private final FakeService service = new FakeService();
  private final SetMemory memory = new SetMemory();
  private final Meters meters = new Meters();
  private final List<String> woken = new ArrayList<>();
  private final Set<EphemeralRunner> runners = new LinkedHashSet<>();
  private final EphemeralRunnerSet set = new EphemeralRunnerSet();
  private final RunnerExits exits = new RunnerExits();
  private final RunnerGathering gathering =
      new RunnerGathering(exits, new CollectionLedger(), Duration.ofSeconds(10));
  private final ReplicasActions actions =
      new ReplicasActions(
          new EphemeralRunnerSetPass.Environment(
              new FakeKube().api(), new CallerThread(), meters, service.clock, new Random(1)),
          service.remover(new RemovalRequests(meters)),
          new NewRunners(),
          gathering,
          this,
          (namespace, name) -> woken.add(name));
  private final CachedSetRunners swept =
      new CachedSetRunners(gathering, actions, this, new CollectionLedger());

  AgePassTest() {
    var meta = new ObjectMeta();
    meta.setNamespace("ns");
    meta.setName("linux");
    meta.setUid("uid-of-set");
    set.setMetadata(meta);
    set.setSpec(
        new EphemeralRunnerSetSpec(
            1,
            null,
            null,
            null,
            null,
            "r",
            "",
            new NameReference("s"),
            1,
            null,
            null,
            null,
            null,
            null,
            null));
  }

  @Override
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    return Optional.of(set);
  }

  @Override
  public Set<EphemeralRunner> labelled(EphemeralRunnerSet of) {
    return runners;
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    return runners.stream().filter(r -> r.getMetadata().getName().equals(name)).findFirst();
  }

  @Override
  public void remember(EphemeralRunner made) {
    throw new IllegalStateException("nothing is made");
  }

  @Override
  public SetMemory memory(EphemeralRunnerSet of) {
    return memory;
  }

  private RemovalPlan plan(int wanted, RemovalReason reason, int... ids) {
    var views = new ArrayList<RunnerView>();
    for (int id : ids) {
      var runner = FakeService.runner("r" + id, id);
      runner.getMetadata().setLabels(Map.of(Labels.SET, "linux"));
      runners.add(runner);
      views.add(Runners.idle("r" + id).view());
    }
    return new RemovalPlan(views, wanted, reason, RequeueTime.NEVER);
  }

  private double collected(String reason) {
    return meters.value(Meter.RUNNERS_GARBAGE_COLLECTED, "ns", "linux", reason);
  }

  private int sweep(int wanted, int... ids) {
    return swept.collect(KEY, plan(wanted, RemovalReason.AGE, ids), () -> wanted);
  }

  private void scaleDown(int wanted, int... ids) {
    scaleDown(plan(wanted, RemovalReason.SCALE_DOWN, ids), memory.removals().passes());
  }

  private void scaleDown(RemovalPlan plan, long passes) {
    actions.startRemoval(set, plan, memory, passes);
  }

  private double requests(String result) {
    return meters.value(Meter.SCALE_DOWN_REQUESTS, "ns", "linux", result);
  }

  @Test
  void eachMechanismIsCountedOnSuccessOnly() {
    service.withJob.add(1L);
    service.failing.add(2L);
    assertThat(sweep(1, 1, 2, 3)).isOne();
    assertThat(collected("age")).isOne();
    assertThat(collected("capacity")).isZero();
    scaleDown(2, 4, 5);
    assertThat(collected("age")).isOne();
    assertThat(collected("capacity")).isEqualTo(2);
    assertThat(requests("removed")).as("AC7: one family of requests").isEqualTo(3);
    assertThat(requests("busy")).isOne();
    assertThat(requests("error")).isOne();
  }

  /** A runner that is suspected to be busy is not asked for, and so no request is counted. */
  @Test
  void onlyRequestsThatWereSentAreCounted() {
    service.withJob.add(1L);
    assertThat(sweep(1, 1)).isZero();
    assertThat(requests("busy")).isOne();
    assertThat(service.count("DELETE 1")).isOne();
    service.clock.set(T0.plusSeconds(121));
    assertThat(sweep(1, 1)).as("suspected for five minutes").isZero();
    assertThat(service.count("DELETE 1")).isOne();
    assertThat(requests("busy")).isOne();
    assertThat(requests("removed") + requests("error")).isZero();
  }

  @Test
  void aRunnerThatWentForItsAgeIsNotCountedAgainAsCapacity() {
    assertThat(sweep(1, 1)).isOne();
    scaleDown(1, 1);
    assertThat(service.count("DELETE 1")).as("asked once").isOne();
    assertThat(collected("age")).isOne();
    assertThat(collected("capacity")).isZero();
    assertThat(requests("removed")).isOne();
    assertThat(memory.removals().isAskedToGo("uid-r1"))
        .as("no candidate of the next plan")
        .isTrue();
  }

  @Test
  void sweepAndScaleDownShareOneBudgetOfRefusals() {
    service.withJob.addAll(List.of(1L, 2L, 3L, 4L));
    assertThat(sweep(2, 1)).isZero();
    scaleDown(3, 2, 3, 4);
    assertThat(service.count("DELETE")).as("two useless requests of both").isEqualTo(2);
    service.clock.set(T0.plusSeconds(29));
    assertThat(sweep(1, 3, 4)).isZero();
    assertThat(service.count("DELETE")).as("the backoff of both").isEqualTo(2);
  }

  @Test
  void oneThatAnswersBusyIsAskedTwiceInTenMinutesAtMost() {
    service.withJob.add(1L);
    int asked = 0;
    for (int second = 0; second <= 600; second += 5) {
      service.clock.set(T0.plusSeconds(second));
      sweep(1, 1);
      runners.clear();
      asked = (int) service.count("DELETE 1");
    }
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void whileAPassIsUnderWayASweepRemovesNobodyAndTheOtherWayRound() {
    assertThat(memory.removals().beginPass(0)).isTrue();
    assertThat(sweep(1, 1)).isZero();
    scaleDown(1, 1);
    assertThat(service.asked).isEmpty();
    memory.removals().endPass(0, 0, 0, T0);
    assertThat(sweep(1, 1)).isOne();
    assertThat(memory.removals().isPassRunning()).isFalse();
    assertThat(woken).containsExactly("linux");
  }

  @Test
  void aRemovalThatFailsDoesNotBlockScaleDown() {
    service.failing.addAll(List.of(1L, 2L, 3L));
    assertThat(sweep(1, 1, 2, 3)).isZero();
    scaleDown(1, 4);
    assertThat(collected("capacity")).isOne();
  }

  @ParameterizedTest
  @CsvSource({"AGE, age", "SCALE_DOWN, capacity", "REVISION, revision"})
  void eachReasonIsCountedUnderItsNameAndNoOther(RemovalReason reason, String name) {
    scaleDown(plan(2, reason, 1, 2), memory.removals().passes());
    for (var each : List.of("age", "capacity", "revision")) {
      assertThat(collected(each)).as(each).isEqualTo(each.equals(name) ? 2 : 0);
    }
    assertThat(requests("removed")).isEqualTo(2);
  }

  /** A scale-down (SD4) bounds itself by the service's idle count of before. */
  @Test
  void whatASweepRemovedIsKnownToTheNextScaleDown() {
    assertThat(sweep(2, 1, 2)).isEqualTo(2);
    assertThat(memory.removals().removedSince(T0)).isEqualTo(2);
  }

  /** The idle count of the new scale set never held it (SD4). */
  @Test
  void theRemovalOfOneOfTheFormerScaleSetIsNoneOfTheIdleCount() {
    var runner = FakeService.runner("r1", 1);
    runner.getMetadata().setLabels(Map.of(Labels.SET, "linux"));
    runners.add(runner);
    var spec = set.getSpec();
    set.setSpec(
        new EphemeralRunnerSetSpec(
            1,
            null,
            null,
            null,
            null,
            "r",
            "",
            new NameReference("s"),
            99,
            null,
            null,
            null,
            null,
            null,
            null));
    var idle = Runners.idle("r1").ofAnotherScaleSet().view();
    var plan = new RemovalPlan(List.of(idle), 1, RemovalReason.FORMER_SCALE_SET, RequeueTime.NEVER);
    scaleDown(plan, memory.removals().passes());
    assertThat(collected("scale_set")).isOne();
    assertThat(memory.removals().removedSince(T0)).isZero();
    set.setSpec(spec);
    scaleDown(plan, memory.removals().passes());
    assertThat(service.count("DELETE")).as("one of the scale set of now stays").isOne();
  }

  @Test
  void aPlanOfBeforeASweepRemovesNobodyAfterIt() {
    var stale = plan(1, RemovalReason.SCALE_DOWN, 2);
    long passes = memory.removals().passes();
    assertThat(sweep(1, 1)).isOne();
    scaleDown(stale, passes);
    assertThat(service.count("DELETE 2")).isZero();
    scaleDown(stale, memory.removals().passes());
    assertThat(service.count("DELETE 2")).isOne();
  }

  @Test
  void aSweepAndAScaleDownEndAtTheirSecondFailure() {
    service.failing.addAll(List.of(1L, 2L, 3L, 4L, 5L, 6L));
    assertThat(sweep(1, 1, 2, 3)).isZero();
    assertThat(service.count("DELETE")).isEqualTo(2);
    scaleDown(1, 4, 5, 6);
    assertThat(service.count("DELETE")).isEqualTo(4);
  }

  @Test
  void aScaleDownThatFailedMakesTheSetWaitAndASweepThatFailedDoesNot() {
    service.failing.addAll(List.of(1L, 2L, 3L, 4L));
    assertThat(sweep(2, 1, 2)).isZero();
    assertThat(memory.removals().budget().isOpen(T0)).as("AC7").isTrue();
    scaleDown(2, 3, 4);
    assertThat(memory.removals().budget().notBefore()).isEqualTo(T0.plusSeconds(30));
  }

  /** The doubling of the backoff is reset by a 204, not by a pending runner that went. */
  @ParameterizedTest(name = "SD6 registered {0}, next backoff {1} s")
  @CsvSource({"true, 30", "false, 60"})
  void onlyARemovalThatTheServiceAnsweredResetsTheBackOff(boolean registered, int seconds) {
    assertThat(memory.removals().beginPass(0)).isTrue();
    memory.removals().endPass(0, 2, 0, T0.minusSeconds(30));
    runners.add(FakeService.runner("r1", registered ? 1 : 0));
    scaleDown(1, 1);
    assertThat(service.count("DELETE")).isEqualTo(registered ? 1 : 0);
    assertThat(service.count("kube delete")).isOne();
    memory.removals().endPass(0, 2, 0, T0);
    assertThat(memory.removals().budget().notBefore()).isEqualTo(T0.plusSeconds(seconds));
  }

  /** One that hangs after its job: the service is asked, and a refusal means a job all the same. */
  @ParameterizedTest(name = "the service says that it has a job: {0}")
  @CsvSource({"true", "false"})
  void oneThatDoesNotEndAfterItsJobGoesByTheRemovalPath(boolean hasJob) {
    if (hasJob) {
      service.withJob.add(1L);
    }
    set.setSpec(
        new EphemeralRunnerSetSpec(
            1,
            3L,
            null,
            null,
            null,
            "r",
            "",
            new NameReference("s"),
            1,
            null,
            null,
            null,
            null,
            null,
            null));
    var runner = FakeService.runner("r1", 1);
    runner.setStatus(Since.completed());
    runners.add(runner);
    memory.completionSeen("uid-r1", T0.minusSeconds(180));
    var view = gathering.view(set, runner, memory);
    var plan = dev.runnerset.controller.removal.OverdueExit.plan(java.util.List.of(view), 3, T0);
    actions.startRemoval(set, plan, memory, memory.removals().passes());
    assertThat(service.count("DELETE 1")).isOne();
    assertThat(service.count("kube delete r1")).isEqualTo(hasJob ? 0 : 1);
    assertThat(collected("overdue")).isEqualTo(hasJob ? 0 : 1);
    assertThat(memory.removals().removedSince(T0)).as("it was no idle one").isZero();
    assertThat(memory.removals().suspectUntil("uid-r1"))
        .isEqualTo(hasJob ? T0.plusSeconds(300) : null);
  }

  /** What may come between a choice and its turn. */
  enum Since {
    A_JOB,
    A_DELETION,
    A_FAILURE,
    AN_EXIT,
    A_REFUSAL,
    ANOTHER_PASS,
    ANOTHER_OF_ITS_NAME;

    void comesTo(EphemeralRunner runner, AgePassTest test) {
      var uid = runner.getMetadata().getUid();
      switch (this) {
        case A_JOB -> runner.setStatus(status(RunnerPhase.RUNNING, 7L));
        case A_DELETION -> runner.getMetadata().setDeletionTimestamp(T0.toString());
        case A_FAILURE -> runner.setStatus(status(RunnerPhase.FAILED, null));
        case AN_EXIT -> {
          var _ = test.exits.record(uid, new RunnerExit(T0, 1));
        }
        case A_REFUSAL -> test.memory.removals().refused(uid, T0.plusSeconds(300));
        case ANOTHER_PASS -> test.memory.removals().askedToGo(uid);
        case ANOTHER_OF_ITS_NAME -> runner.getMetadata().setUid("uid-of-another");
      }
    }

    private static EphemeralRunnerStatus completed() {
      return EphemeralRunnerStatus.builder()
          .phase(RunnerPhase.RUNNING)
          .runnerId(1L)
          .requestId(7L)
          .job(new dev.runnerset.crds.RunnerJob(null, null, null, null, null, null, 3L))
          .idleSince(T0.minusSeconds(900))
          .build();
    }

    private static EphemeralRunnerStatus status(RunnerPhase phase, @Nullable Long jobRequest) {
      return EphemeralRunnerStatus.builder()
          .phase(phase)
          .runnerId(1L)
          .requestId(jobRequest)
          .build();
    }
  }

  @ParameterizedTest
  @EnumSource(Since.class)
  void noneGoesInThePlaceOfOneThatIsNoLongerFree(Since since) {
    var plan = plan(1, RemovalReason.SCALE_DOWN, 1, 2);
    since.comesTo(runners.iterator().next(), this);
    scaleDown(plan, memory.removals().passes());
    assertThat(service.asked).isEmpty();
    assertThat(woken).as("the next look chooses anew").containsExactly("linux");
  }

  @ParameterizedTest
  @EnumSource(Since.class)
  void aSweepAsksForNobodyWhoIsNoLongerFreeAtItsTurn(Since since) {
    var plan = plan(2, RemovalReason.AGE, 1, 2);
    since.comesTo(runners.iterator().next(), this);
    assertThat(swept.collect(KEY, plan, () -> 2)).isOne();
    assertThat(service.asked).noneMatch(a -> a.startsWith("DELETE 1")).contains("DELETE 2");
  }

  @ParameterizedTest
  @EnumSource(Since.class)
  void aScaleDownAsksForNobodyWhoIsNoLongerFreeAtItsTurn(Since since) {
    var plan = plan(2, RemovalReason.SCALE_DOWN, 1, 2);
    since.comesTo(runners.iterator().next(), this);
    scaleDown(plan, memory.removals().passes());
    assertThat(service.asked).noneMatch(a -> a.startsWith("DELETE 1")).contains("DELETE 2");
  }
}
