package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runners of an older revision are replaced, never all at once (RV2, docs/operate/rollout.md). */
class RolloutTest {
  private static final Instant NOW = T0.plusSeconds(1000);

  /** A set on which nobody waits; all jobs have their busy runners. */
  private static Situation given(int replicas, @Nullable Integer max, Runners... some) {
    return given(replicas, max, new Situation(some));
  }

  private static Situation given(int replicas, @Nullable Integer max, Situation given) {
    given.wanted = replicas;
    given.max = max;
    given.message = 1;
    given.surplusSince = null;
    int assigned = (int) given.runners.stream().filter(RunnerView::isRunningJob).count();
    return given.demand(Runners.demand(T0, assigned, assigned, assigned, 0));
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

  /** One row a rule: warm runners wanted, maxRunners, what is given, runners made, and replaced. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing is older | 1 | 9 | a | 0 |
          one warm, room: its replacement comes first | 1 | 9 | old1 | 1 |
          … it is on its way | 1 | 9 | old1 n:pending,since-179 | 0 |
          … it has only just started | 1 | 9 | old1 n,since-4 | 0 |
          … it stands: the old one goes | 1 | 9 | old1 n,since-5 | 0 | o1
          … the old one was asked to go: no more is made for it | 1 | 9 | o1,asked,older n,since-5 | 0 |
          one warm, no room: it goes first | 1 | 1 | old1 | 0 | o1
          limit unknown: no room | 1 | | old1 | 0 | o1
          eight warm, room: a quarter is made beside | 8 | 99 | old8 | 2 |
          eight warm, room for one | 8 | 9 | old8 | 1 |
          eight warm, no room: a quarter goes | 8 | 8 | old8 | 0 | o1 o2
          three warm, no room: one goes | 3 | 3 | old3 | 0 | o1
          no room and one step is missed: wait | 8 | 8 | old6 n1:pending,since-179 n2:pending,since-179 | 0 |
          no room and one went: make it first | 3 | 3 | old2 | 1 |
          its replacement finds no place: it goes | 1 | 9 | old1 n:pending,since-180 | 0 | o1
          the replacements find no place: a step goes | 8 | 99 | old8 n1:pending,since-180 n2:pending,since-180 | 0 | o1 o2
          … and no more than one step is missed | 8 | 99 | old6 n1:pending,since-180 n2:pending,since-180 n3:pending,since-179 n4:pending,since-179 | 0 |
          … unready and warm ones together | 8 | 99 | old8 p:pending,older n:pending,since-180 | 0 | p o1
          old ones that do not start hold the places: a step of them goes | 2 | 9 | p:pending,older q:pending,older n:pending,since-180 | 0 | p
          an old one that does not start waits for what comes up | 2 | 9 | p:pending,older o,older n:pending,since-179 | 0 |
          busy ones stay | 2 | 9 | b:busy,older c:busy,older | 0 |
          suspects stay, and are no spare ones | 2 | 2 | s,suspect9,older a,older | 0 | a
          an unready old one goes while nothing comes up | 2 | 2 | p:pending,older o,older | 0 | p
          an unready old one waits while its replacement comes up | 2 | 9 | p:pending,older a n:pending,since-179 | 0 |
          unknown demand removes nothing | 1 | 1 | old1 demand=none | 0 |
          a refused version removes nothing | 1 | 1 | old1 held= | 0 |
          a closed backoff removes nothing | 1 | 1 | old1 backoff=1 | 0 |
          new ones failed and none stands: nothing goes | 8 | 8 | old8 backoff=-10 | 0 |
          new ones failed, yet one stands: it goes on | 1 | 9 | old1 n,since-5 backoff=-10 | 0 | o1
          failures are forgotten after five minutes | 1 | 1 | old1 backoff=-300 | 0 | o1
          the budget of refusals holds for it too | 1 | 1 | old1 spent=1 | 0 |
          removals are under way | 1 | 1 | old1 underWay= | 0 |
          """)
  void olderRunnersAreReplaced(
      String rule,
      int replicas,
      @Nullable Integer max,
      String words,
      int create,
      @Nullable String replaced) {
    var runners = new StringBuilder();
    for (var word : words.split(" ")) {
      runners.append(' ').append(word.startsWith("old") ? olderOnes(word) : word);
    }
    var read = Situation.of(runners.toString());
    var given = given(replicas, max, read);
    given.demand = words.contains("demand=none") ? null : given.demand;
    var plan = PlannerRows.plan(given, NOW);
    assertThat(plan.create()).as("made").isEqualTo(create);
    assertThat(names(plan)).as("replaced").isEqualTo(Objects.requireNonNullElse(replaced, ""));
    if (plan.removal() != null) {
      assertThat(plan.removal().reason()).isEqualTo(RemovalReason.REVISION);
      assertThat(plan.removal().wanted()).isEqualTo(plan.removal().candidates().size());
    }
  }

  /** So many of the older ones, as {@code old3}. */
  private static String olderOnes(String word) {
    return IntStream.rangeClosed(1, Integer.parseInt(word.substring(3)))
        .mapToObj(i -> "o%d,since%d,older".formatted(i, i - 1000))
        .collect(Collectors.joining(" "));
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
    var memory = Gathering.memory();
    memory.creation().revision("a");
    memory.creation().failed(NOW, "no image", false);
    memory.creation().revision("a");
    assertThat(SetStateTest.isOpen(memory.creation().backoff(), NOW)).isFalse();
    memory.creation().revision("b");
    assertThat(memory.creation().backoff()).isEqualTo(CreationBackoff.NONE);
  }

  /** Old runners neither close the backoff of the new revision nor, by a job, reset it. */
  @Test
  void whatBecomesOfOldRunnersSaysNothingOfTheNewRevision() {
    var memory = Gathering.memory();
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
    var memory = Gathering.memory();
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
