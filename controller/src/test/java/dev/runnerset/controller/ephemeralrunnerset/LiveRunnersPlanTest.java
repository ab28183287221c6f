package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.in;
import static dev.runnerset.controller.ephemeralrunnerset.PlannerRows.row;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static dev.runnerset.controller.removal.Situation.MESSAGE;
import static dev.runnerset.controller.removal.Situation.NOW;

import dev.runnerset.controller.ephemeralrunnerset.PlannerRows.Row;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.RunnerPhase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which runners count as live, and which of those that ended are deleted. */
class LiveRunnersPlanTest {
  /** Two live ones are wanted; there is an idle one and the given one: is it live, does it go? */
  private static Row second(String rule, Runners runner, boolean live, boolean goes, Integer look) {
    return row(rule, new Situation(idle("a"), runner), live ? 0 : 1, goes ? "r" : "", "", look);
  }

  static Stream<Row> live() {
    var succeeded = RunnerPhase.SUCCEEDED;
    var failed = RunnerPhase.FAILED;
    return Stream.of(
        second("4 pending is live", pending("r"), true, false, null),
        second("4 busy is live", busy("r"), true, false, null),
        second("4 suspect is live", idle("r").suspectUntil(in(9)), true, false, null),
        second(
            "4 released: completed in the message weighed",
            busy("r").completedIn(MESSAGE),
            false,
            false,
            null),
        second(
            "4 released: completed before it",
            busy("r").completedIn(MESSAGE - 1),
            false,
            false,
            null),
        second(
            "4 not released: completed in the next message",
            busy("r").completedIn(MESSAGE + 1),
            true,
            false,
            null),
        second(
            "4 released and exited goes",
            busy("r").completedIn(MESSAGE).endedAt(NOW),
            false,
            true,
            null),
        second(
            "4 exited, completion not weighed yet",
            busy("r").completedIn(MESSAGE + 1).endedAt(NOW),
            true,
            false,
            30),
        second("4 settle window: 29 s after the exit", busy("r").endedAt(in(-29)), true, false, 1),
        second("4 settle window: 30 s", busy("r").endedAt(in(-30)), false, true, null),
        second("4 settle window: 31 s", busy("r").endedAt(in(-31)), false, true, null),
        second(
            "4 settle window of an unmarked one: 29 s",
            idle("r").phase(succeeded).endedAt(in(-29)),
            true,
            false,
            1),
        second(
            "I7 settle window of an unmarked one: 30 s",
            idle("r").phase(succeeded).endedAt(in(-30)),
            false,
            true,
            null),
        second(
            "I7 failed and unmarked: replaced at once",
            idle("r").phase(failed).endedAt(NOW),
            false,
            true,
            null),
        second(
            "4 failed with a job: its demand still counts",
            busy("r").phase(failed).endedAt(NOW),
            true,
            false,
            30),
        second(
            "I7 failed with a job: 30 s",
            busy("r").phase(failed).endedAt(in(-30)),
            false,
            true,
            null),
        second(
            "I7 failed with a job that was weighed",
            busy("r").phase(failed).completedIn(MESSAGE).endedAt(NOW),
            false,
            true,
            null),
        second(
            "I7 outdated", idle("r").phase(RunnerPhase.OUTDATED).endedAt(NOW), false, true, null),
        second("4 terminating", idle("r").terminating(), false, false, null),
        second("4 terminating, but busy", busy("r").terminating(), true, false, null),
        second(
            "4 terminating, but suspect",
            idle("r").terminating().suspectUntil(in(9)),
            true,
            false,
            9),
        second(
            "4 terminating, suspicion over",
            idle("r").terminating().suspectUntil(NOW),
            false,
            false,
            null),
        second(
            "4 terminating and ended goes by itself",
            idle("r").phase(failed).endedAt(in(-60)).terminating(),
            false,
            false,
            null),
        second("4 asked to go and still in the cache", idle("r").askedToGo(), false, false, null),
        second(
            "SD5 its deletion failed: 1 s of backoff",
            idle("r").phase(failed).endedAt(in(-60)).retryAt(in(1)),
            false,
            false,
            1),
        second(
            "SD5 its deletion failed: backoff over",
            idle("r").phase(failed).endedAt(in(-60)).retryAt(NOW),
            false,
            true,
            null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("live")
  void aRunnerIsLiveOrGoes(Row row) {
    row.check();
  }
}
