package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.in;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.row;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.with;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Situation.MESSAGE;
import static dev.runnerset.controller.removal.Situation.NOW;

import dev.runnerset.controller.ephemeralrunnerset.PlannerRows.Row;
import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.Situation;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a runner whose job is over, and whose container does not end, is removed. */
class OverdueExitPlanTest {
  private static Runners hanging(int seenAt) {
    return busy("h").completedIn(MESSAGE).completionSeenAt(in(seenAt));
  }

  private static Row exit(String rule, Runners runner, String chosen, @Nullable Integer look) {
    return row(rule, new Situation(idle("a"), idle("b"), runner), 0, "", chosen, look);
  }

  /** The job is over and the container does not end. */
  static Stream<Row> exits() {
    return Stream.of(
        exit("6 exiting for 59 s", hanging(-59), "", 1),
        exit("6 exiting for 60 s: told", hanging(-60), "", 120),
        exit("6 exiting for 179 s", hanging(-179), "", 1),
        exit("6 exiting for 180 s: removed", hanging(-180), "h", null),
        exit("6 its end is known", hanging(-900).endedAt(in(-1)).kept(), "", null),
        exit("6 it goes already", hanging(-900).terminating(), "", null),
        exit("6 it was asked to go", hanging(-900).askedToGo(), "", null),
        exit("6 refused: the service is asked later", hanging(-900).suspectUntil(in(9)), "", 9),
        exit("6 refused long ago", hanging(-900).suspectUntil(NOW), "h", null),
        exit("6 its removal failed", hanging(-900).retryAt(in(2)), "", 2),
        row(
            "I1 its job is not over",
            with(
                new Situation(idle("a"), idle("b"), busy("h").completionSeenAt(in(-900))),
                g -> g.replicas = 3),
            0,
            "",
            "",
            null),
        row(
            "I9 180 s, and its job still counts: another runner would be made for it",
            with(
                new Situation(idle("a"), idle("b"), hanging(-180).completedIn(MESSAGE + 1)),
                g -> g.replicas = 3),
            0,
            "",
            "",
            420),
        row(
            "6 not weighed for 600 s: removed all the same",
            with(
                new Situation(idle("a"), idle("b"), hanging(-600).completedIn(MESSAGE + 1)),
                g -> g.replicas = 3),
            0,
            "",
            "h",
            null),
        row(
            "6 not weighed while no runner is wanted, as while a set is deleted: 179 s",
            with(new Situation(hanging(-179).completedIn(MESSAGE + 1)), g -> g.replicas = 0),
            0,
            "",
            "",
            1),
        row(
            "6 not weighed while no runner is wanted, as while a set is deleted: 180 s",
            with(new Situation(hanging(-180).completedIn(MESSAGE + 1)), g -> g.replicas = 0),
            0,
            "",
            "h",
            null),
        row(
            "6 at replicas 0 it goes as well",
            with(new Situation(hanging(-900)), g -> g.replicas = 0),
            0,
            "",
            "h",
            null),
        row(
            "6 unknown demand removes it, too: it is no idle one",
            with(new Situation(idle("a"), idle("b"), hanging(-900)), g -> g.demand = null),
            0,
            "",
            "h",
            null),
        row(
            "SD6 out of refusals",
            with(
                new Situation(idle("a"), idle("b"), hanging(-900)),
                g -> g.budget = new RemovalBudget(1, List.of(), null, in(1))),
            0,
            "",
            "",
            1),
        row(
            "6 removals are under way",
            with(new Situation(idle("a"), idle("b"), hanging(-900)), g -> g.underWay = true),
            0,
            "",
            "",
            null),
        row(
            "6 surplus runners go before it",
            new Situation(idle("a"), idle("b"), idle("c"), hanging(-900)),
            0,
            "",
            "a b c",
            null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("exits")
  void aRunnerThatDoesNotEndIsRemoved(Row row) {
    row.check();
  }
}
