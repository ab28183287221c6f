package dev.runnerset.controller.replicas;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crd.Demand;
import dev.runnerset.crd.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rule 2 of "How the five interact": finished runners that are kept are in no count. */
final class KeptRunnersTest {
  private static final Instant NOW = T0.plusSeconds(1000);
  private static final long MESSAGE = 7;

  private static ReplicasPlan plan(int replicas, List<RunnerView> runners) {
    return ReplicasPlanner.plan(
        new ReplicasInput(
            replicas,
            null,
            MESSAGE,
            new Demand(1, MESSAGE, NOW, replicas, 0, null, null, null),
            runners,
            NOW.minusSeconds(60),
            false,
            0,
            RemovalBudget.FRESH,
            CreationBackoff.NONE,
            false,
            Duration.ofSeconds(10)),
        NOW);
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
  void rule2KeptRunnersNeitherBlockAScaleUpNorAreSurplusNorAreDeleted() {
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
  void rule2WithinTheSettleWindowAnEndedOneStillSatisfiesDemand() {
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
  void failuresOfBeforeAStartDoNotHoldUpTheRunnersOfToday() {
    var memory = new SetMemory();
    assertThat(memory.isFirstLook()).isTrue();
    memory.countNoMore("uid-old");
    assertThat(memory.failed("uid-old", NOW, "m")).as("kept from before").isFalse();
    assertThat(memory.isFirstLook()).isFalse();
    assertThat(memory.failed("uid-new", NOW, "m")).isTrue();
  }
}
