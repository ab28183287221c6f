package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.ProvisionedFor;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** I7: finished runners that are kept are in no count. */
final class KeptRunnersTest {
  private static final Instant NOW = T0.plusSeconds(1000);
  private static final long MESSAGE = 7;

  private static ReplicasPlan plan(int replicas, List<RunnerView> runners) {
    var given = new Situation(runners);
    given.wanted = replicas;
    given.demand = new Demand(1, MESSAGE, NOW, replicas, 0, null, null, null, null, null, null);
    return PlannerRows.plan(given, NOW);
  }

  private static List<RunnerView> kept(int count, RunnerPhase phase) {
    return IntStream.range(0, count)
        .mapToObj(i ->
            Runners.busy("k" + i)
                .phase(phase)
                .completedIn(MESSAGE)
                .endedAt(NOW.minusSeconds(90))
                .kept()
                .view())
        .toList();
  }

  @Test
  void keptRunnersNeitherBlockAScaleUpNorAreSurplusNorAreDeleted() {
    for (var phase : List.of(RunnerPhase.SUCCEEDED, RunnerPhase.FAILED, RunnerPhase.OUTDATED)) {
      var plan = plan(3, kept(100, phase));
      assertThat(plan.create()).as("%s", phase).isEqualTo(3);
      assertThat(plan.finished()).as("%s", phase).isEmpty();
      assertThat(plan.removal()).as("%s", phase).isNull();
      assertThat(plan.counts().finished()).as("%s", phase).isEqualTo(100);
      assertThat(plan.counts().live()).as("%s", phase).isZero();
    }
  }

  @Test
  void withinTheSettleWindowAnEndedOneStillSatisfiesDemand() {
    var unheard = Runners.busy("a").phase(RunnerPhase.SUCCEEDED).kept();
    assertThat(plan(1, List.of(unheard.endedAt(NOW.minusSeconds(29)).view())).create()).isZero();
    assertThat(plan(1, List.of(unheard.endedAt(NOW.minusSeconds(30)).view())).create()).isOne();
    var weighed = unheard.endedAt(NOW.minusSeconds(1)).completedIn(MESSAGE).view();
    assertThat(plan(1, List.of(weighed)).create()).isOne();
  }

  @Test
  void oneThatItsEndIsNotWrittenOfYetIsKeptAllTheSame() {
    var ended = Runners.busy("a").completedIn(MESSAGE).endedAt(NOW.minusSeconds(1)).kept().view();
    assertThat(plan(0, List.of(ended)).finished()).isEmpty();
    var promptly = Runners.busy("a").completedIn(MESSAGE).endedAt(NOW.minusSeconds(1)).view();
    assertThat(plan(0, List.of(promptly)).finished()).hasSize(1);
  }

  @Test
  void lv4OneThatOnlyTheResourceIsLeftOfStandsForNoJobAndItsDeletionIsTriedAgain() {
    var left = Runners.idle("a").unregistered().resourceLeft();
    var plan = plan(1, List.of(left.retryAt(NOW).view()));
    assertThat(plan.create()).as("its place is filled").isOne();
    assertThat(plan.counts().pending() + plan.counts().idle()).isZero();
    assertThat(plan.finished()).hasSize(1);
    assertThat(plan(1, List.of(left.endedAt(NOW).view())).create()).as("no settle window").isOne();
    var later = plan(1, List.of(left.endedAt(NOW).retryAt(NOW.plusSeconds(2)).view()));
    assertThat(later.finished()).isEmpty();
    assertThat(later.requeue().at()).isEqualTo(NOW.plusSeconds(2));
    assertThat(plan(0, List.of(Runners.busy("b").resourceLeft().view())).finished()).isEmpty();
  }

  private static EphemeralRunner ended(Retention live, int exitCode, RunnerExits exits) {
    var runner = RunnerTemplate.newRunner(set(live), ProvisionedFor.DEMAND, new Random(1));
    runner.getMetadata().setUid("uid");
    runner.getMetadata().setCreationTimestamp(T0.toString());
    exits.record(runner, new RunnerExit(NOW, exitCode));
    return runner;
  }

  private static EphemeralRunnerSet set(Retention live) {
    var set = RunnerCreatorTest.set("ci");
    set.setSpec(set.getSpec().toBuilder().retention(live).build());
    return set;
  }

  /** What the set's rules of now say of one whose end no status tells yet. */
  @ParameterizedTest(name = "RT3 failedLimit {0}, succeededLimit {1}, exit {2}: kept {3}")
  @CsvSource({"5,,1,true", "5,,0,false", ",5,0,true", ",5,1,true", ",,1,true", ",,0,false"})
  void whatItsSetKeepsAnEndedRunnerByIsKnownBeforeItsEndIsWritten(
      Integer failed, Integer succeeded, int exitCode, boolean kept) {
    var live = new Retention(null, null, failed, succeeded, null, null);
    var exits = new RunnerExits(new Memories(), runner -> {});
    var runner = ended(live, exitCode, exits);
    var gathering = Gathering.withExits(exits);
    var memory = Gathering.memory();
    var moment = Gathering.observe(gathering, set(live), Set.of(runner), memory, NOW);
    assertThat(moment.runners().all())
        .singleElement()
        .satisfies(view -> assertThat(view.kept()).isEqualTo(kept));
  }

  @Test
  void aKeptFailureOfTodayHoldsTheNextRunnersBackAndOneOfBeforeAStartDoesNot() {
    var memory = Gathering.memory();
    var runners = new RunnersOfSet(NOW);
    var before = kept(1, RunnerPhase.FAILED);
    RunnerGathering.learn(memory, Runners.next(runners, before, NOW).changes(), true);
    assertThat(memory.creation().backoff()).as("from before").isEqualTo(CreationBackoff.NONE);
    var failed = Runners.pending("new").phase(RunnerPhase.FAILED).endedAt(NOW).kept().view();
    RunnerGathering.learn(memory, RunnersOfSet.of(List.of(failed), NOW).changes(), false);
    assertThat(memory.creation().backoff().failures()).isOne();
  }
}
