package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.in;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.row;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.three;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.with;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Situation.MESSAGE;
import static dev.runnerset.controller.removal.Situation.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunnerset.PlannerRows.Row;
import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.Demand;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When surplus runners are chosen, and which. */
class SurplusPlanTest {
  static Stream<Row> remove() {
    return Stream.of(
        row("5 a surplus that stands", three(), 0, "", "a b", null),
        row("5 a new surplus", with(three(), g -> g.surplusSince = null), 0, "", "", 1),
        row("5 a surplus of 0 s", with(three(), g -> g.surplusSince = NOW), 0, "", "", 1),
        row("5 a surplus of 1 s", with(three(), g -> g.surplusSince = in(-1)), 0, "", "a b", null),
        row("5 no surplus", new Situation(busy("x"), idle("a")), 0, "", "", null),
        row(
            "4 demand is never below the runners marked busy: the warm one stays (ADR 4)",
            with(
                new Situation(busy("x"), busy("y"), idle("a")),
                g -> g.demand = new Demand(1, 1, null, 1, 1, null, null, null)),
            0,
            "",
            "",
            null),
        row(
            "4 a job that is over is no demand: the second warm one goes (ADR 4)",
            with(
                new Situation(busy("x"), busy("y").completedIn(MESSAGE + 1), idle("a"), idle("b")),
                g -> {
                  g.demand = new Demand(1, 1, null, 1, 1, null, null, null);
                  g.replicas = 3;
                }),
            0,
            "",
            "a b",
            null),
        row("I1 only busy ones", new Situation(busy("x"), busy("y"), busy("z")), 0, "", "", null),
        row(
            "4 unknown demand removes nobody",
            with(three(), g -> g.demand = null),
            0,
            "",
            "",
            null),
        row(
            "SD6 out of refusals: 1 s left",
            with(three(), g -> g.budget = new RemovalBudget(1, List.of(), null, in(1))),
            0,
            "",
            "",
            1),
        row(
            "SD6 out of refusals: over now",
            with(three(), g -> g.budget = new RemovalBudget(1, List.of(), null, NOW)),
            0,
            "",
            "a b",
            null),
        row("5 removals are under way", with(three(), g -> g.underWay = true), 0, "", "", null),
        row(
            "SD2 the look of the choice",
            with(
                new Situation(busy("x"), busy("y"), idle("a").since(in(-9))),
                g -> g.demand = new Demand(1, 1, null, 3, 2, null, null, null)),
            0,
            "",
            "",
            1),
        row(
            "I9 the end of a job does not remove a warm one",
            new Situation(busy("x").completedIn(MESSAGE), idle("a"), idle("b")),
            0,
            "",
            "",
            null));
  }

  /** A demand that reckons with marks up to version 100, heard so many seconds ago. */
  static Stream<Row> awaitMarks() {
    return Stream.of(
        row("SD11 marks are on their way", marks(100L, 99, 0), 0, "", "", 30),
        row("SD11 for 29 s", marks(100L, 99, 29), 0, "", "", 1),
        row("SD11 for 30 s: no longer", marks(100L, 99, 30), 0, "", "a b", null),
        row("SD11 for 31 s", marks(100L, 99, 31), 0, "", "a b", null),
        row("SD11 no runner was delivered", marks(100L, 0, 0), 0, "", "", 30),
        row("SD11 the last mark is there", marks(100L, 100, 0), 0, "", "a b", null),
        row("SD11 and later ones, compared as numbers", marks(9L, 10, 0), 0, "", "a b", null),
        row("SD11 an older listener tells no version", marks(null, 0, 0), 0, "", "a b", null),
        row("SD11 the listener's clock is ahead", marks(100L, 99, -29), 0, "", "", 59),
        row("SD11 by too much", marks(100L, 99, -30), 0, "", "a b", null),
        row(
            "SD11 a demand without a time holds nothing",
            with(marks(100L, 99, 0), g -> g.demand = demand(null, 100L)),
            0,
            "",
            "a b",
            null),
        row(
            "SD11 missing runners are made",
            with(marks(100L, 99, 0), g -> g.replicas = 4),
            1,
            "",
            "",
            null),
        row(
            "SD11 a new surplus stands meanwhile",
            with(marks(100L, 99, 5), g -> g.surplusSince = null),
            0,
            "",
            "",
            1));
  }

  private static Situation marks(@Nullable Long version, long delivered, int ago) {
    return with(
        three(),
        g -> {
          g.demand = demand(in(-ago), version);
          g.delivered = delivered;
        });
  }

  private static Demand demand(@Nullable Instant at, @Nullable Long version) {
    return new Demand(1, MESSAGE, at, 2, 2, null, null, null, null, null, version);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("awaitMarks")
  void noSurplusIsRemovedBeforeTheMarksThatItsDemandReckonsWith(Row row) {
    row.check();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("remove")
  void surplusRunnersAreChosen(Row row) {
    row.check();
  }

  @Test
  void theSurplusIsRememberedFromItsBeginAndForgottenWithItsEnd() {
    var since = PlannerRows.plan(with(three(), g -> g.surplusSince = null), NOW);
    assertThat(since.surplusSince()).isEqualTo(NOW);
    assertThat(PlannerRows.plan(three(), NOW).surplusSince()).isEqualTo(in(-60));
    assertThat(PlannerRows.plan(new Situation(idle("a")), NOW).surplusSince()).isNull();
  }
}
