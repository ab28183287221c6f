package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.Situation;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runners whose job is over and whose container still runs are reported after a minute. */
class ExitConditionTest {
  private static Runners over(String name) {
    return busy(name).completedIn(1).completionSeenAt(T0);
  }

  private static Instant in(int seconds) {
    return T0.plusSeconds(seconds);
  }

  private static Optional<Verdict> of(int seconds, Runners... runners) {
    var given = new Situation(runners);
    given.message = 1;
    return ExitCondition.of(given.at(in(seconds)));
  }

  @Test
  void itIsThereFromAMinuteOnAndOnlyWhileTheContainerRuns() {
    assertThat(of(59, over("a"))).isEmpty();
    assertThat(of(60, over("a"))).isPresent();
    assertThat(of(900, over("a").endedAt(in(61)), over("b").terminating(), busy("c"))).isEmpty();
  }

  @Test
  void itNamesTheRunnerAndTellsWhenItIsRemoved() {
    var condition = of(240, over("a")).orElseThrow();
    assertThat(condition.reason().word()).isEqualTo("ExitOverdue");
    assertThat(condition.message())
        .isEqualTo(
            "the job is over and the container still runs of 1 runner: a since"
                + " 2026-01-01T00:00:00Z; a is removed at 2026-01-01T00:03:00Z; look in the log for"
                + " what does not end");
  }

  @Test
  void itTellsThatOneWhoseJobIsNotWeighedStaysLonger() {
    assertThat(of(240, over("a").completedIn(2)).orElseThrow().message())
        .contains("a is removed at 2026-01-01T00:10:00Z");
  }

  @Test
  void itTellsOfARefusalAndIsBounded() {
    var refused = over("a").suspectUntil(in(480));
    var all = of(240, over("e"), over("d"), refused, over("b"), over("c")).orElseThrow();
    assertThat(all.message())
        .contains("5 runners: a since", " and 2 more", "the service says that a has a job")
        .contains("asked again at 2026-01-01T00:08:00Z")
        .doesNotContain("d since");
  }

  /** Else it would be a write at every look. */
  @Test
  void standsUnchangedWhileNothingChanges() {
    var first = of(60, over("a")).orElseThrow();
    assertThat(of(179, over("a"))).contains(first);
  }
}
