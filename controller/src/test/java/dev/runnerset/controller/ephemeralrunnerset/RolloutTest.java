package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runners of an older revision are replaced, never all at once (RV2, docs/operate/rollout.md). */
class RolloutTest {
  private static final Instant NOW = T0.plusSeconds(1000);

  /** A set on which nobody waits; all jobs have their busy runners. */
  private static Situation given(int replicas, @Nullable Integer max, Runners... some) {
    var given = new Situation(some);
    given.replicas = replicas;
    given.max = max;
    given.message = 1;
    given.surplusSince = null;
    int assigned = (int) given.runners.stream().filter(RunnerView::isRunningJob).count();
    return given.demand(Runners.demand(T0, assigned, assigned, assigned, 0));
  }

  /** Runners made, and those that go for their revision. */
  record Row(String rule, Situation given, int create, String replaced) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Runners[] old(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> idle("o" + i).older().since(T0.plusSeconds(i)))
        .toArray(Runners[]::new);
  }

  /** A replacement that is not overdue by a second. */
  private static Runners coming(String name) {
    return pending(name).since(NOW.minus(Duration.ofMinutes(3)).plusSeconds(1));
  }

  private static Runners overdue(String name) {
    return pending(name).since(NOW.minus(Duration.ofMinutes(3)));
  }

  static Stream<Row> rows() {
    var failing = new CreationBackoff(1, NOW.minusSeconds(10), true);
    var fresh = idle("n").since(NOW.minusSeconds(4));
    var proven = idle("n").since(NOW.minusSeconds(5));
    return Stream.of(
        new Row("nothing is older", given(1, 9, idle("a")), 0, ""),
        new Row("one warm, room: its replacement comes first", given(1, 9, old(1)), 1, ""),
        new Row("… it is on its way", given(1, 9, old(1)).and(coming("n")), 0, ""),
        new Row("… it has only just started", given(1, 9, old(1)).and(fresh), 0, ""),
        new Row("… it stands: the old one goes", given(1, 9, old(1)).and(proven), 0, "o1"),
        new Row(
            "… the old one was asked to go: no more is made for it",
            given(1, 9, idle("o1").older().askedToGo()).and(proven),
            0,
            ""),
        new Row("one warm, no room: it goes first", given(1, 1, old(1)), 0, "o1"),
        new Row("limit unknown: no room", given(1, null, old(1)), 0, "o1"),
        new Row("eight warm, room: a quarter is made beside", given(8, 99, old(8)), 2, ""),
        new Row("eight warm, room for one", given(8, 9, old(8)), 1, ""),
        new Row("eight warm, no room: a quarter goes", given(8, 8, old(8)), 0, "o1 o2"),
        new Row("three warm, no room: one goes", given(3, 3, old(3)), 0, "o1"),
        new Row(
            "no room and one step is missed: wait",
            given(8, 8, old(6)).and(coming("n1"), coming("n2")),
            0,
            ""),
        new Row("no room and one went: make it first", given(3, 3, old(2)), 1, ""),
        new Row(
            "its replacement finds no place: it goes",
            given(1, 9, old(1)).and(overdue("n")),
            0,
            "o1"),
        new Row(
            "the replacements find no place: a step goes",
            given(8, 99, old(8)).and(overdue("n1"), overdue("n2")),
            0,
            "o1 o2"),
        new Row(
            "… and no more than one step is missed",
            given(8, 99, old(6)).and(overdue("n1"), overdue("n2"), coming("n3"), coming("n4")),
            0,
            ""),
        new Row(
            "… unready and warm ones together",
            given(8, 99, old(8)).and(pending("p").older(), overdue("n")),
            0,
            "p o1"),
        new Row(
            "old ones that do not start hold the places: a step of them goes",
            given(2, 9, pending("p").older(), pending("q").older()).and(overdue("n")),
            0,
            "p"),
        new Row(
            "an old one that does not start waits for what comes up",
            given(2, 9, pending("p").older(), idle("o").older()).and(coming("n")),
            0,
            ""),
        new Row("busy ones stay", given(2, 9, busy("b").older(), busy("c").older()), 0, ""),
        new Row(
            "suspects stay, and are no spare ones",
            given(2, 2, idle("s").older().suspectUntil(NOW.plusSeconds(9)), idle("a").older()),
            0,
            "a"),
        new Row(
            "an unready old one goes while nothing comes up",
            given(2, 2, pending("p").older(), idle("o").older()),
            0,
            "p"),
        new Row(
            "an unready old one waits while its replacement comes up",
            given(2, 9, pending("p").older(), idle("a")).and(coming("n")),
            0,
            ""),
        new Row(
            "unknown demand removes nothing",
            given(1, 1, old(1)).with(g -> g.demand = null),
            0,
            ""),
        new Row(
            "a refused version removes nothing",
            given(1, 1, old(1)).with(g -> g.held = true),
            0,
            ""),
        new Row(
            "a closed backoff removes nothing",
            given(1, 1, old(1))
                .with(g -> g.backoff = new CreationBackoff(1, NOW.plusSeconds(1), true)),
            0,
            ""),
        new Row(
            "new ones failed and none stands: nothing goes",
            given(8, 8, old(8)).with(g -> g.backoff = failing),
            0,
            ""),
        new Row(
            "new ones failed, yet one stands: it goes on",
            given(1, 9, old(1)).and(proven).with(g -> g.backoff = failing),
            0,
            "o1"),
        new Row(
            "failures are forgotten after five minutes",
            given(1, 1, old(1))
                .with(g -> g.backoff = new CreationBackoff(1, NOW.minusSeconds(300), true)),
            0,
            "o1"),
        new Row(
            "the budget of refusals holds for it too",
            given(1, 1, old(1))
                .with(g -> g.budget = new RemovalBudget(1, List.of(), null, NOW.plusSeconds(1))),
            0,
            ""),
        new Row("removals are under way", given(1, 1, old(1)).with(g -> g.underWay = true), 0, ""));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void replacesOldRunners(Row row) {
    var plan = PlannerRows.plan(row.given(), NOW);
    assertThat(plan.create()).as("made").isEqualTo(row.create());
    assertThat(names(plan)).isEqualTo(row.replaced());
    if (plan.removal() != null) {
      assertThat(plan.removal().reason()).isEqualTo(RemovalReason.REVISION);
      assertThat(plan.removal().wanted()).isEqualTo(plan.removal().candidates().size());
    }
  }

  private static String names(ReplicasPlan plan) {
    return plan.removal() == null
        ? ""
        : String.join(" ", plan.removal().candidates().stream().map(RunnerView::name).toList());
  }

  @Test
  void aSurplusTakesOldOnesFirstAmongEquals() {
    var given = given(1, 1, idle("a").since(T0), idle("o").older().since(T0.plusSeconds(9)));
    var first = PlannerRows.plan(given, NOW);
    assertThat(first.removal()).as("a surplus stands for a second first").isNull();
    given.surplusSince = NOW.minusSeconds(2);
    given.demand(Runners.demand(T0, 0, 0, 0, 2));
    var plan = PlannerRows.plan(given, NOW);
    assertThat(names(plan)).startsWith("o");
    assertThat(Objects.requireNonNull(plan.removal()).reason()).isEqualTo(RemovalReason.SCALE_DOWN);
  }

  @Test
  void theReplacementsMadeBesideAreNoSurplus() {
    var plan = PlannerRows.plan(given(1, 9, old(1)).and(coming("n")), NOW);
    assertThat(plan.surplusSince()).isNull();
  }

  @Test
  void itLooksAgainWhenAReplacementIsOverdue() {
    var plan = PlannerRows.plan(given(1, 9, old(1)).and(coming("n")), NOW);
    assertThat(plan.requeue().at()).isEqualTo(NOW.plusSeconds(1));
  }

  @Test
  void itLooksAgainWhenAReplacementIsProven() {
    var started = NOW.minusSeconds(2);
    var plan = PlannerRows.plan(given(1, 9, old(1)).and(idle("n").since(started)), NOW);
    assertThat(plan.requeue().at()).isEqualTo(started.plus(Duration.ofSeconds(5)));
  }

  /** RV2: only idle ones are replaced; busy ones keep the entry partial. */
  @Test
  void aSpecChangeReplacesIdleRunnersOnlyAndBusyOnesKeepTheEntryPartial() {
    var given = given(3, 3, busy("b").older(), idle("o").older(), idle("p").older());
    assertThat(names(PlannerRows.plan(given, NOW))).isEqualTo("o");
  }

  @Test
  void anotherRevisionIsTriedAtOnce() {
    var memory = new SetMemory();
    memory.creation().revision("a");
    memory.creation().failed(NOW, "no image", false);
    memory.creation().revision("a");
    assertThat(memory.creation().backoff().isOpen(NOW)).isFalse();
    memory.creation().revision("b");
    assertThat(memory.creation().backoff()).isEqualTo(CreationBackoff.NONE);
  }

  /** Old runners neither close the backoff of the new revision nor, by a job, reset it. */
  @Test
  void whatBecomesOfOldRunnersSaysNothingOfTheNewRevision() {
    var memory = new SetMemory();
    var failed = pending("f").phase(RunnerPhase.FAILED).endedAt(NOW);
    learn(memory, List.of(failed.older().view()));
    assertThat(memory.creation().backoff()).isEqualTo(CreationBackoff.NONE);
    var ours = pending("g").phase(RunnerPhase.FAILED).endedAt(NOW);
    learn(memory, List.of(ours.view(), busy("b").older().view()));
    assertThat(memory.creation().backoff().failures()).isOne();
    learn(memory, List.of(busy("c").view()));
    assertThat(memory.creation().backoff()).isEqualTo(CreationBackoff.NONE);
  }

  /** Else a roll-back would begin with the backoff of what failed with it long ago. */
  @Test
  void whatWasKeptFromBeforeAStartIsNotCountedWhenItsRevisionComesBack() {
    var memory = new SetMemory();
    var kept = idle("f").phase(RunnerPhase.FAILED).endedAt(T0).kept();
    learn(memory, List.of(kept.older().view()));
    var back = idle("f").phase(RunnerPhase.FAILED).endedAt(T0).kept();
    learn(memory, List.of(back.view()));
    assertThat(memory.creation().backoff()).isEqualTo(CreationBackoff.NONE);
  }

  private final RunnersOfSet seen = new RunnersOfSet(NOW);

  private void learn(SetMemory memory, List<RunnerView> now) {
    boolean first = seen.size() == 0;
    RunnerGathering.learn(memory, Runners.next(seen, now, NOW).changes(), first);
  }
}
