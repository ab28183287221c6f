package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.in;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.row;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.with;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static dev.runnerset.controller.removal.Situation.NOW;

import dev.runnerset.controller.ephemeralrunnerset.PlannerRows.Row;
import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerPhase;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to runners of the former scale set after the set was registered anew. */
class FormerScaleSetPlanTest {
  private static Runners former(String name) {
    return idle(name).since(in(-300)).ofAnotherScaleSet();
  }

  private static Row former(
      String rule, Situation given, int create, String chosen, @Nullable Integer look) {
    return row(rule, given, create, "", chosen, look);
  }

  private static Situation full(Runners... some) {
    return with(
        new Situation(some),
        g -> {
          g.replicas = some.length;
          g.max = some.length;
          g.demand = Runners.demand(in(-1), 4, 0, 0, 0);
        });
  }

  /** The set was registered anew: no job comes to runners of the former scale set. */
  static Stream<Row> formerScaleSet() {
    return Stream.of(
        former(
            "LV4 without room, and with none idle at the service, all are replaced",
            full(former("a"), former("b")),
            2,
            "a b",
            null),
        former("LV4 an idle one", new Situation(idle("a"), former("r")), 1, "r", null),
        former(
            "LV4 a pending one",
            new Situation(idle("a"), pending("r").ofAnotherScaleSet()),
            1,
            "r",
            null),
        former(
            "I1 one with a job is live",
            new Situation(idle("a"), busy("r").ofAnotherScaleSet()),
            0,
            "",
            null),
        former(
            "LV2 its job is over: neither is it live, nor does it go before its container ends",
            new Situation(
                idle("a"), busy("r").completedIn(0).completionSeenAt(in(-9)).ofAnotherScaleSet()),
            1,
            "",
            51),
        former(
            "SD5 a suspect is live",
            new Situation(idle("a"), former("r").suspectUntil(in(9))),
            0,
            "",
            9),
        former(
            "SD5 suspicion over",
            new Situation(idle("a"), former("r").suspectUntil(NOW)),
            1,
            "r",
            null),
        former(
            "SD5 its removal failed: 1 s of backoff",
            new Situation(idle("a"), former("r").retryAt(in(1))),
            1,
            "",
            1),
        former(
            "LV5 asked to go already",
            new Situation(idle("a"), former("r").askedToGo()),
            1,
            "",
            null),
        row(
            "LV3 an exit without a job is not waited for",
            new Situation(idle("a"), former("r").phase(RunnerPhase.SUCCEEDED).endedAt(NOW)),
            1,
            "r",
            "",
            null),
        former(
            "SD2 it needs no protection",
            with(
                new Situation(idle("a"), idle("r").since(NOW).ofAnotherScaleSet()),
                g -> g.demand = new Demand(1, 1, null, 3, 2, null, null, null)),
            1,
            "r",
            null),
        former(
            "DM7 unknown demand",
            with(new Situation(idle("a"), former("r")), g -> g.demand = null),
            1,
            "r",
            null),
        former(
            "RN9 held",
            with(new Situation(idle("a"), former("r")), g -> g.held = true),
            0,
            "r",
            null),
        former(
            "SD6 out of refusals",
            with(
                new Situation(idle("a"), idle("b"), former("r")),
                g -> g.budget = new RemovalBudget(1, List.of(), null, in(1))),
            0,
            "",
            1),
        former(
            "SD5 it is no surplus",
            new Situation(idle("a"), idle("b"), former("r")),
            0,
            "r",
            null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("formerScaleSet")
  void runnersOfTheFormerScaleSetGo(Row row) {
    row.check();
  }
}
