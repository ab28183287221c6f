package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.in;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.row;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.with;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static dev.runnerset.controller.removal.Situation.NOW;

import dev.runnerset.controller.ephemeralrunnerset.PlannerRows.Row;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.RunnerPhase;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How many runners are made, and when: what is missing, what is reserved, and the backoff. */
class CreationPlanTest {
  static Stream<Row> create() {
    var wave = new CreationBackoff(1, in(1), true);
    return Stream.of(
        row("LV4 all are missing", new Situation(), 2, "", "", null),
        row("LV4 one is missing", new Situation(busy("a")), 1, "", "", null),
        row("LV4 none is missing", new Situation(busy("a"), pending("b")), 0, "", "", null),
        row("6 backoff: 1 s left", with(new Situation(), g -> g.backoff = wave), 0, "", "", 1),
        row(
            "6 backoff: over now",
            with(new Situation(), g -> g.backoff = new CreationBackoff(1, NOW, true)),
            2,
            "",
            "",
            null),
        row(
            "6 backoff does not matter when none is missing",
            with(new Situation(idle("a"), idle("b")), g -> g.backoff = wave),
            0,
            "",
            "",
            null),
        row(
            "6 no runner is made while creation is held",
            with(new Situation(), g -> g.held = true),
            0,
            "",
            "",
            null),
        row(
            "6 held: the outdated one stays as the proof",
            with(
                new Situation(idle("r").phase(RunnerPhase.OUTDATED).endedAt(in(-60))),
                g -> g.held = true),
            0,
            "",
            "",
            null),
        row(
            "AC8 one place is reserved",
            with(new Situation(), g -> g.reserved = 1),
            1,
            "",
            "",
            null),
        row(
            "AC8 all places are reserved",
            with(new Situation(), g -> g.reserved = 3),
            0,
            "",
            "",
            null),
        row(
            "AC8 reserved places do not matter when none is missing",
            with(new Situation(idle("a"), idle("b")), g -> g.reserved = 1),
            0,
            "",
            "",
            null),
        row(
            "4 unknown demand: the missing are made",
            with(new Situation(), g -> g.demand = null),
            2,
            "",
            "",
            null));
  }

  /** Ten are wanted, and starts have failed. */
  private static Row probe(String rule, int create, @Nullable Integer look, Runners... some) {
    return probe(rule, new CreationBackoff(1, in(-2), true), create, look, some);
  }

  private static Row probe(
      String rule, CreationBackoff backoff, int create, @Nullable Integer look, Runners... some) {
    var given = new Situation(some);
    given.replicas = 10;
    given.backoff = backoff;
    return row(rule, given, create, "", "", look);
  }

  /** While starts fail, a few runners try for all. */
  static Stream<Row> probes() {
    int forgotten = (int) CreationBackoff.FORGOTTEN_AFTER.toSeconds();
    return Stream.of(
        probe("RN10 starts fail: four try", 4, forgotten - 2),
        probe(
            "RN10 others that run say nothing of a start of now: four try",
            4,
            forgotten - 2,
            idle("a"),
            busy("b"),
            pending("c").podMade()),
        probe("RN10 those that try count", 3, forgotten - 2, pending("a")),
        probe(
            "RN10 four try already",
            0,
            forgotten - 2,
            pending("a"),
            pending("b"),
            pending("c"),
            pending("d")),
        probe(
            "RN10 one of them is gone",
            1,
            forgotten - 2,
            pending("a"),
            pending("b"),
            pending("c"),
            pending("d").askedToGo()),
        probe(
            "RN10 those of another revision do not try",
            4,
            298,
            pending("a").older(),
            pending("b").older()),
        probe("RN10 one has started: all", new CreationBackoff(1, in(-2), false), 10, null),
        probe(
            "RN10 no failure for 15 min, 1 s before",
            new CreationBackoff(1, in(1 - forgotten), true),
            4,
            1),
        probe("RN10 no failure for 15 min", new CreationBackoff(1, in(-forgotten), true), 10, null),
        probe("RN10 the backoff comes first", new CreationBackoff(1, in(1), true), 0, 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("create")
  void theMissingAreMade(Row row) {
    row.check();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("probes")
  void aFewRunnersTryForAll(Row row) {
    row.check();
  }
}
