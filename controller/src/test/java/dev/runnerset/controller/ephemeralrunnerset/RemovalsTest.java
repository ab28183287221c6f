package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.gc.AgeSweep;
import dev.runnerset.controller.gc.CollectionState;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.nodes.CordonedNodes;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.testsupport.CallerThread;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Removals of one set, from the plan to the answer and to the next plan (SD5 to SD7, I3, AC7);
 * runner {@code rN} has the id N. Requests wait until {@link #answerOne} lets one go.
 */
class RemovalsTest implements SetCaches {
  private static final SetKey KEY = new SetKey("ns", "linux");
  private static final String NODE = "node-1";

  private final FakeService service = new FakeService();
  private final SetMemory memory = new SetMemory();
  private final Meters meters = new Meters();
  private final CordonedNodes cordons = new CordonedNodes();
  private final Map<String, EphemeralRunner> runnerByName = new LinkedHashMap<>();
  private final Deque<Runnable> requests = new ArrayDeque<>();
  private final List<String> noted = new ArrayList<>();
  private final List<String> warned = new ArrayList<>();
  private final Events events =
      new Events() {
        @Override
        public void warn(HasMetadata about, Reason reason, String message) {
          warned.add(reason.word() + ": " + message);
        }

        @Override
        public void note(HasMetadata about, Reason reason, String subject, String message) {
          noted.add(about.getMetadata().getName() + " " + reason.word() + ": " + message);
        }
      };
  private final ReplicasActions actions =
      new ReplicasActions(
          new EphemeralRunnerSetPass.Environment(
              new FakeKube().api(), new Waiting(), meters, service.clock, new Random(1)),
          service.remover(new RemovalRequests(meters)),
          new EphemeralRunnerSetPass.Shared(
              new RunnerExits(new Memories()),
              new NewRunners(),
              runner -> {
                throw new AssertionError("the remover has its own");
              },
              new RunnerVerdicts(new Memories()),
              key -> {},
              set -> Optional.empty(),
              events),
          this,
          (namespace, name) -> triggered = true);
  private final ReplicasPass pass =
      new ReplicasPass(
          new RunnerGathering(new RunnerExits(new Memories()), cordons, Duration.ofSeconds(10)),
          actions);
  private int replicas;
  private long message = 1;
  private String revision = "r";
  private boolean triggered;

  /** Threads whose tasks wait. */
  private final class Waiting extends CallerThread {
    @Override
    public void execute(Runnable task) {
      requests.add(task);
    }
  }

  private EphemeralRunnerSet set() {
    // without an instant: no count of the service bounds a choice
    var demand = new Demand(1, message, null, 0, 0, null, null, null);
    var set = SimSet.of(replicas, message, 100, revision, demand);
    set.setSpec(set.getSpec().toBuilder().creationHeld(true).build());
    set.setMetadata(
        new ObjectMetaBuilder(set.getMetadata())
            .addToAnnotations(Labels.SET_UID, "uid-of-runner-set")
            .build());
    return set;
  }

  @Override
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    return Optional.of(set());
  }

  @Override
  public Set<EphemeralRunner> labelled(EphemeralRunnerSet of) {
    Set<EphemeralRunner> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(runnerByName.values());
    return all;
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    return Optional.ofNullable(runnerByName.get(name));
  }

  @Override
  public void remember(EphemeralRunner made) {
    throw new IllegalStateException("nothing is made");
  }

  @Override
  public SetMemory memory(EphemeralRunnerSet of) {
    return memory;
  }

  private EphemeralRunner runner(int id) {
    var runner = FakeService.runner("r" + id, id);
    runner.getMetadata().setCreationTimestamp(T0.minusSeconds(7200).toString());
    runner.getMetadata().setOwnerReferences(List.of(SimSet.OWNER));
    runner.setStatus(status(id, RunnerPhase.RUNNING, null, null));
    runnerByName.put("r" + id, runner);
    return runner;
  }

  /** Idle since {@code id} seconds after {@link #T0}, so that r1 has been idle longest. */
  private static EphemeralRunnerStatus status(
      long id, RunnerPhase phase, @Nullable Long request, @Nullable Long completedIn) {
    return EphemeralRunnerStatus.builder()
        .phase(phase)
        .runnerId(id)
        .requestId(request)
        .jobId(request == null ? null : "job")
        .job(
            completedIn == null
                ? null
                : new RunnerJob(null, null, null, null, null, null, completedIn))
        .idleSince(T0.minusSeconds(7200 - id))
        .nodeName(NODE)
        .build();
  }

  /** So many idle runners; so many of them are too many, and have been for long enough. */
  private void surplus(int runners, int tooMany) {
    for (int id = 1; id <= runners; id++) {
      runner(id);
    }
    replicas = runners - tooMany;
    reconcile();
    pass(1);
  }

  private void pass(int seconds) {
    service.clock.set(service.clock.instant().plusSeconds(seconds));
    reconcile();
  }

  private void reconcile() {
    var now = service.clock.instant();
    int all = runnerByName.size();
    var allAreOnline = new ServiceCounts(now, 0, 0, all, 0, all); // RN7
    memory.audit().updateAndGet(state -> state.learned(allAreOnline));
    var _ = pass.run(set(), labelled(set()), 0, memory, service.clock.instant());
  }

  private void answerOne() {
    requests.remove().run();
    assertThat(triggered).as("each answer triggers a reconcile").isTrue();
    triggered = false;
    reconcile();
  }

  private void answerAll() {
    while (!requests.isEmpty()) {
      assertThat(requests).as("under way").hasSizeLessThanOrEqualTo(2);
      answerOne();
    }
  }

  private long asked() {
    return service.count("DELETE");
  }

  private double removed(String reason) {
    return meters.value(Meter.RUNNERS_GARBAGE_COLLECTED, "ns", "linux", reason);
  }

  private double requests(String result) {
    return meters.value(Meter.SCALE_DOWN_REQUESTS, "ns", "linux", result);
  }

  private void haveJobs(int from, int to) {
    for (long id = from; id <= to; id++) {
      service.withJob.add(id);
    }
  }

  private void fail(int from, int to) {
    for (long id = from; id <= to; id++) {
      service.failing.add(id);
    }
  }

  /** A sweep for runners that are idle for more than an hour. */
  private void sweep(boolean releasing) {
    sweep(releasing, 0);
  }

  private void sweep(boolean releasing, int minRunners) {
    var next = new AgeSweep(Duration.ofHours(1), Duration.ofMinutes(2), minRunners, releasing);
    assertThat(memory.removals().beginSweep(next)).isNull();
    reconcile();
  }

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
    assertThat(cordons.cordoned(NODE, T0)).isTrue();
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
  void ac5ASweepRemovesItsBoundAndEndsThen() {
    for (int id = 1; id <= 30; id++) {
      runner(id);
    }
    replicas = 30;
    sweep(false);
    answerAll();
    assertThat(service.asked).contains("DELETE 1", "DELETE 2", "DELETE 3");
    assertThat(asked()).isEqualTo(3);
    assertThat(removed("age")).isEqualTo(3);
    assertThat(memory.removals().sweep()).isNull();
    pass(3600);
    assertThat(requests).as("by the period, not by events").isEmpty();
  }

  @Test
  void ac7ARemovalThatFailsIsTheTurnOfTheNextUpToTheSecondError() {
    for (int id = 1; id <= 3; id++) {
      runner(id);
    }
    replicas = 3;
    fail(1, 1);
    haveJobs(2, 2);
    sweep(false);
    answerAll();
    assertThat(removed("age")).isOne();
    assertThat(collections().failed()).isOne();
    fail(3, 3);
    runner(4);
    runner(5);
    fail(4, 5);
    pass(60);
    sweep(false);
    answerAll();
    assertThat(collections().failed()).isEqualTo(2);
    assertThat(memory.removals().free(service.clock.instant()))
        .as("surplus runners need not wait for that")
        .isPositive();
    service.failing.clear();
    pass(600);
    sweep(false);
    answerAll();
    assertThat(collections().failed()).isZero();
  }

  /** A request may take minutes, and the period may be short. */
  @Test
  void ac6ASweepWithARequestUnderWayGoesOnAndTheNextOneComesByThePeriod() {
    for (int id = 1; id <= 30; id++) {
      runner(id);
    }
    replicas = 30;
    sweep(false);
    assertThat(requests).hasSize(2);
    sweep(true);
    answerAll();
    assertThat(asked()).as("the bound of the first").isEqualTo(3);
    assertThat(memory.removals().sweep()).isNull();
    assertThat(collections().released()).isZero();
  }

  @Test
  void ac10EachSweepThatThrashesIsCountedAndReported() {
    for (int id = 1; id <= 6; id++) {
      runner(id);
    }
    replicas = 6;
    for (int count = 1; count <= 5; count++) {
      sweep(false);
      answerAll();
      pass(300);
    }
    assertThat(collections().collected()).isEqualTo(5);
    assertThat(meters.value(Meter.RUNNER_GC_THRASH, KEY.namespace(), KEY.name())).isEqualTo(2);
    assertThat(warned).hasSize(2).first().asString().startsWith("RunnerGCThrashing: 4 runners");
  }

  private CollectionState collections() {
    return memory.removals().collections();
  }

  @Test
  void noRequestBeginsTwiceForARunner() {
    surplus(3, 1);
    var view = Runners.idle("r1").view();
    assertThat(memory.removals().begin(view, RemovalReason.UNREGISTERED, service.clock.instant()))
        .as("its removal is under way")
        .isFalse();
    answerAll();
    assertThat(memory.removals().begin(view, RemovalReason.UNREGISTERED, service.clock.instant()))
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
  void ac7ASweepAndAScaleDownShareOneBudget() {
    haveJobs(1, 30);
    for (int id = 1; id <= 30; id++) {
      runner(id);
    }
    replicas = 30;
    sweep(false);
    answerAll();
    assertThat(asked()).isEqualTo(2);
    replicas = 10;
    reconcile();
    pass(1);
    answerAll();
    assertThat(asked()).isEqualTo(2);
  }

  @Test
  void ac8APlaceIsHeldWhileItsRunnerGoesAndStaysEmptyOnlyIfItWent() {
    for (int id = 1; id <= 20; id++) {
      runner(id);
    }
    replicas = 20;
    haveJobs(1, 1);
    sweep(true, 20);
    assertThat(memory.removals().placesLeftEmpty()).isEqualTo(2);
    answerAll();
    assertThat(memory.removals().placesLeftEmpty()).isEqualTo(2);
    assertThat(collections().released()).isEqualTo(2);
    assertThat(requests("busy")).isOne();
  }

  @Test
  void eachReasonIsCountedUnderItsNameAndNoOther() {
    surplus(2, 1);
    answerAll();
    assertThat(removed("capacity")).isOne();
    for (var reason : RemovalReason.counted()) {
      if (reason != RemovalReason.SCALE_DOWN) {
        assertThat(removed(reason.word())).as(reason.sentence()).isZero();
      }
    }
  }
}
