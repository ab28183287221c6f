package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.demand;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which surplus runners may go (SD1 to SD4), one row a rule. */
class RemovalPlannerTest {
  private static final Instant NOW = T0.plusSeconds(1000);

  /** Who goes, in order, and when to look again: seconds from NOW; null for never. */
  record Row(
      String rule,
      List<Runners> runners,
      @Nullable Demand demand,
      int removedSince,
      List<String> go,
      @Nullable Integer look) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Instant in(int seconds) {
    return NOW.plusSeconds(seconds);
  }

  private static Row row(
      String rule, Demand demand, List<Runners> runners, List<String> go, @Nullable Integer look) {
    return new Row(rule, runners, demand, 0, go, look);
  }

  /** Nothing is heard but that no job waits. */
  private static Row quiet(String rule, Runners runner, boolean goes, @Nullable Integer look) {
    var silent = new Demand(1, 1, null, 1, 1, null, null, null);
    return row(rule, silent, List.of(runner), goes ? List.of("r") : List.of(), look);
  }

  static Stream<Row> step1() {
    return Stream.of(
        quiet("SD1 an idle one", idle("r"), true, null),
        quiet("SD1 a pending one", pending("r"), true, null),
        quiet("SD1 busy", busy("r"), false, null),
        quiet(
            "SD1 busy and pending: the mark came before the start",
            busy("r").phase(RunnerPhase.PENDING).unready(),
            false,
            null),
        quiet("I1 its job is over, its container exits", busy("r").completedIn(1), false, null),
        quiet("SD1 terminating", idle("r").terminating(), false, null),
        quiet("4 asked to go already", idle("r").askedToGo(), false, null),
        quiet("SD1 succeeded", idle("r").phase(RunnerPhase.SUCCEEDED), false, null),
        quiet("SD1 failed", idle("r").phase(RunnerPhase.FAILED), false, null),
        quiet("SD1 outdated", idle("r").phase(RunnerPhase.OUTDATED), false, null),
        quiet("SD1 its container ended", idle("r").endedAt(in(-1)), false, null),
        quiet("SD5 suspect, 1 s left", idle("r").suspectUntil(in(1)), false, 1),
        quiet("SD5 suspect until now", idle("r").suspectUntil(NOW), true, null),
        quiet("SD5 suspect until a second ago", idle("r").suspectUntil(in(-1)), true, null),
        quiet(
            "SD5 a suspect whose container ended",
            idle("r").suspectUntil(in(9)).endedAt(NOW),
            false,
            null),
        quiet("SD5 failed, 1 s of backoff left", idle("r").retryAt(in(1)), false, 1),
        quiet("SD5 failed, backoff over now", idle("r").retryAt(NOW), true, null),
        quiet("SD5 failed, backoff over", idle("r").retryAt(in(-1)), true, null),
        row(
            "SD5 the earliest of many looks",
            demand(in(-300), 1, 1, 0, 9),
            List.of(
                idle("a").suspectUntil(in(9)),
                idle("b").retryAt(in(7)),
                idle("c").suspectUntil(in(8))),
            List.of(),
            7));
  }

  private static Row window(String rule, Demand demand, Runners runner, @Nullable Integer look) {
    return row(rule, demand, List.of(runner), look == null ? List.of("r") : List.of(), look);
  }

  static Stream<Row> step2() {
    var coming = demand(in(-300), 2, 1, 1, 1);
    return Stream.of(
        window("SD2 idle for 9 s", coming, idle("r").since(in(-9)), 1),
        window("SD2 idle for 10 s", coming, idle("r").since(in(-10)), null),
        window("SD2 idle for 11 s", coming, idle("r").since(in(-11)), null),
        window("SD2 idle just now", coming, idle("r").since(NOW), 10),
        window("SD2 not registered", coming, pending("r").since(in(-9)), null),
        window(
            "SD2 no job on its way", demand(in(-300), 1, 1, 1, 1), idle("r").since(in(-9)), null),
        window(
            "SD2 statistics behind: running > assigned",
            demand(in(-300), 1, 2, 1, 1),
            idle("r").since(in(-9)),
            null),
        row(
            "SD2 only the young one is spared",
            coming,
            List.of(idle("old").since(in(-10)), idle("young").since(in(-4))),
            List.of("old"),
            6));
  }

  static Stream<Row> step3() {
    var one = demand(in(-300), 3, 3, 1, 3);
    var three = demand(in(-300), 3, 3, 3, 1);
    var set =
        List.of(
            idle("b").since(in(-50)),
            idle("a").since(in(-50)),
            pending("p"),
            idle("old").since(in(-90)),
            busy("x"));
    return Stream.of(
        row(
            "0018 those of which a removal failed go last",
            one,
            List.of(
                idle("old").since(in(-90)).retryAt(in(-1)).removalFailed(),
                idle("a").since(in(-50)),
                pending("p").retryAt(in(-1)).removalFailed(),
                idle("b").since(in(-50)).retryAt(in(-1)),
                busy("x")),
            List.of("a", "b", "p", "old"),
            null),
        row("SD3 rank", one, set, List.of("p", "old", "a", "b"), null),
        row("SD3 two busy more than marked", three, set, List.of("p", "b", "old", "a"), null),
        row(
            "SD3 a mark that is over is no mark",
            one,
            List.of(idle("old").since(in(-90)), idle("a").since(in(-50)), busy("x").completedIn(1)),
            List.of("a", "old"),
            null),
        row(
            "SD3 a mark that ended is no mark",
            one,
            List.of(idle("old").since(in(-90)), idle("a").since(in(-50)), busy("x").endedAt(NOW)),
            List.of("a", "old"),
            null),
        row(
            "SD3 fewer busy than marked",
            demand(in(-300), 3, 3, 0, 1),
            set,
            List.of("p", "old", "a", "b"),
            null));
  }

  private static Row bound(String rule, int heard, int idle, int removed, String go, Integer look) {
    var set = List.of(idle("a").since(in(-121)), idle("b").since(in(-121)), pending("p"));
    return new Row(
        rule, set, demand(in(heard), 1, 1, 0, idle), removed, List.of(go.split(" ")), look);
  }

  static Stream<Row> step4() {
    return Stream.of(
        bound("SD4 one is idle", -5, 1, 0, "p a", 115),
        bound("SD4 none is idle: the pending one goes all the same", -5, 0, 0, "p", 115),
        bound("SD4 more are idle than there are", -5, 9, 0, "p a b", 115),
        bound("SD4 one was removed since", -5, 2, 1, "p a", 115),
        bound("SD4 more were removed since than were idle", -5, 1, 2, "p", 115),
        bound("SD4 stale: 119 s", -119, 0, 0, "p", 1),
        bound("SD4 stale: 120 s", -120, 0, 0, "p a b", null),
        bound("SD4 stale: 121 s", -121, 0, 0, "p a b", null),
        youngest("SD4 heard before the youngest registered", -51, "a b"),
        youngest("SD4 heard as the youngest registered", -50, "a b"),
        youngest("SD4 heard after the youngest registered", -49, "a"),
        row(
            "SD4 heard in the second in which the youngest started",
            Runners.demand(in(-50).plusMillis(900), 1, 1, 0, 1),
            List.of(idle("a").since(in(-90)), idle("b").since(in(-50))),
            List.of("a", "b"),
            null),
        coming("SD4 two are registered, and one was online", 2, 0, "a b"),
        coming("SD4 one of three registered was online", 3, 0, "a b"),
        coming("SD4 nobody was on the way", 1, 0, "a"),
        coming("SD4 one was removed since", 3, 1, "a b"),
        coming("SD4 one was removed since, and one was on the way", 2, 1, "a"),
        row(
            "SD4 registered ones that are no candidates raise no bound",
            new Demand(1, 1, in(-5), 1, 1, 9, 0, 1),
            List.of(idle("a").since(in(-66)), idle("b").since(in(-67)), pending("p")),
            List.of("p", "b"),
            115),
        row(
            "SD4 started a minute before it was heard",
            new Demand(1, 1, in(-5), 1, 1, 9, 0, 1),
            List.of(idle("a").since(in(-65)), idle("b").since(in(-66))),
            List.of("b", "a"),
            115),
        row(
            "SD4 nothing said of registered ones",
            new Demand(1, 1, in(-5), 1, 1, null, 0, 0),
            List.of(idle("a").since(in(-6)), idle("b").since(in(-66))),
            List.of("b"),
            115),
        row(
            "SD4 a pending one's age does not matter",
            demand(in(-5), 1, 1, 0, 0),
            List.of(idle("a").since(in(-50)), pending("p").since(in(-1))),
            List.of("p"),
            115),
        row(
            "SD4 a busy one's age does not matter",
            demand(in(-5), 1, 1, 1, 1),
            List.of(idle("a").since(in(-50)), idle("b").since(in(-49)), busy("x").since(in(-1))),
            List.of("a"),
            115),
        row(
            "SD4 those of another scale set are none of the surplus",
            demand(in(-5), 1, 1, 0, 1),
            List.of(
                idle("o").since(in(-300)).ofAnotherScaleSet(),
                pending("po").ofAnotherScaleSet(),
                idle("a").since(in(-121)),
                idle("b").since(in(-121))),
            List.of("a"),
            115),
        row(
            "SD4 the age of one of another scale set does not matter",
            demand(in(-5), 1, 1, 0, 0),
            List.of(idle("o").since(in(-1)).ofAnotherScaleSet(), idle("a").since(in(-121))),
            List.of(),
            115),
        row(
            "SD3 a mark of another scale set does not count among the service's busy runners",
            demand(in(-300), 1, 1, 1, 1),
            List.of(
                busy("o").ofAnotherScaleSet(),
                idle("old").since(in(-90)),
                idle("a").since(in(-50))),
            List.of("a", "old"),
            null),
        row(
            "SD4 nothing said of idle",
            new Demand(1, 1, in(-5), 1, 1, 1, 0, null),
            List.of(idle("a")),
            List.of("a"),
            null),
        row(
            "SD4 no instant",
            new Demand(1, 1, null, 1, 1, 1, 0, 0),
            List.of(idle("a")),
            List.of("a"),
            null),
        new Row("SD4 no demand at all", List.of(idle("a")), null, 0, List.of("a"), null));
  }

  /** Two started seconds before it was heard that one is idle. */
  private static Row coming(String rule, int registered, int removed, String go) {
    return new Row(
        rule,
        List.of(idle("a").since(in(-9)), idle("b").since(in(-8))),
        new Demand(1, 1, in(-7), 1, 1, registered, 0, 1),
        removed,
        List.of(go.split(" ")),
        113);
  }

  private static Row youngest(String rule, int heard, String go) {
    return row(
        rule,
        demand(in(heard), 1, 1, 0, 1),
        List.of(idle("a").since(in(-90)), idle("b").since(in(-50))),
        List.of(go.split(" ")),
        go.equals("a") ? 120 + heard : null);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"step1", "step2", "step3", "step4"})
  void thoseGoWhoMayInTheirOrder(Row row) {
    var moment = moment(row, NOW);
    var plan = RemovalPlanner.plan(moment, 3);
    assertThat(plan.candidates()).extracting(RunnerView::name).isEqualTo(row.go());
    assertThat(moment.now().next().at()).isEqualTo(row.look() == null ? null : in(row.look()));
    assertThat(plan.wanted()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"step1", "step2", "step3", "step4"})
  void atTheInstantNamedTheChoiceGrows(Row row) {
    if (row.look() != null && row.go().size() < row.runners().size()) {
      var then = RemovalPlanner.plan(moment(row, in(row.look())), 3);
      assertThat(then.candidates().size()).isGreaterThan(row.go().size());
    }
  }

  private static SetMoment moment(Row row, Instant now) {
    var views = row.runners().stream().map(Runners::view).toList();
    var given = new Situation(views).demand(row.demand());
    given.removedSince = row.removedSince();
    return given.at(now);
  }

  @Test
  void aPlanOfOverdueExitsHoldsOnlyRunnersWhoseJobIsOver() {
    var over = busy("r").completedIn(1).completionSeenAt(T0);
    var plan = OverdueExit.plan(new Situation(over, idle("i"), busy("b")).at(NOW));
    assertThat(plan).isNotNull();
    assertThat(plan.candidates()).extracting(RunnerView::name).containsExactly("r");
    assertThat(plan.wanted()).isOne();
    for (var never : List.of(busy("r"), idle("r"), busy("r").completedIn(1).endedAt(NOW))) {
      assertThatThrownBy(
              () -> new RemovalPlan(List.of(never.view()), 1, RemovalReason.EXIT_OVERDUE))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void noPlanCanHoldARunnerWithAJobOrAnEndedOne() {
    for (var never :
        List.of(busy("r"), idle("r").endedAt(NOW), idle("r").phase(RunnerPhase.FAILED))) {
      assertThatThrownBy(() -> RemovalPlan.ofAll(Stream.of(never.view()), RemovalReason.SCALE_DOWN))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("I1");
    }
  }
}
