package dev.runnerset.controller.audit;

import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** RN19: a job that no idle runner takes. */
final class StrandConditionTest {
  private static final List<RunnerView> ONE_IDLE =
      List.of(idle("a").view(), busy("b").view(), pending("p").view());

  record Row(
      String rule, List<RunnerView> runners, @Nullable ServiceCounts counts, boolean stranded) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Row[] rows() {
    return new Row[] {
      new Row("a job waits beside an idle runner", ONE_IDLE, counts(at(0), 2, 1, 1), true),
      new Row("no job waits", ONE_IDLE, counts(at(0), 1, 1, 1), false),
      new Row("the service has none idle", ONE_IDLE, counts(at(0), 2, 1, 0), false),
      new Row("nothing was counted", ONE_IDLE, null, false),
      new Row("none is idle here", List.of(busy("b").view()), counts(at(0), 2, 1, 1), false),
      new Row(
          "the only one is not registered",
          List.of(idle("a").unregistered().view()),
          counts(at(0), 2, 1, 1),
          false),
    };
  }

  @ParameterizedTest(name = "RN19 {0}")
  @MethodSource("rows")
  void aStrandIsAJobThatWaitsBesideAnIdleRunner(Row row) {
    assertThat(StrandCondition.next(null, of(row.runners()), row.counts(), at(0)) != null)
        .isEqualTo(row.stranded());
  }

  @Test
  void aJobThatStartsBeginsTheTimeAgainAndOneThatEndsDoesNot() {
    var counts = counts(at(0), 3, 1, 1);
    var first = StrandCondition.next(null, of(ONE_IDLE), counts, at(0));
    assertThat(first).isEqualTo(new StrandCondition.Strand(at(0), 1));
    var more = List.of(idle("a").view(), busy("b").view(), busy("c").view());
    var started = StrandCondition.next(first, of(more), counts, at(9));
    assertThat(started).isEqualTo(new StrandCondition.Strand(at(9), 2));
    var ended = StrandCondition.next(started, of(ONE_IDLE), counts, at(12));
    assertThat(ended).isEqualTo(new StrandCondition.Strand(at(9), 1));
    assertThat(StrandCondition.next(ended, of(more), counts, at(15)))
        .as("another job starts")
        .isEqualTo(new StrandCondition.Strand(at(15), 2));
  }

  @Test
  void reportedAfter20SecondsByCountsThatAreFresh() {
    assertThat(reported(at(19), at(25))).as("counts of 19 s").isEmpty();
    assertThat(reported(at(20), at(25))).as("counts of 20 s").isPresent();
    assertThat(reported(at(20), at(80))).as("counts of a minute ago").isEmpty();
    var strand = new StrandCondition.Strand(at(0), 1);
    assertThat(StrandCondition.changes(strand, at(3)).at()).isEqualTo(at(20));
    assertThat(StrandCondition.changes(null, at(3)).at()).isNull();
  }

  @Test
  void theMessageNamesTheRunnersLongestIdleFirst() {
    var message = reported(at(20), at(25)).orElseThrow().message();
    assertThat(message)
        .isEqualTo(
            "the service gave 2 jobs to the scale set, and no idle runner has taken one since"
                + " 2026-01-01T00:00:00Z: old, young; look in the log of its pod; if the runner"
                + " hangs, delete it (kubectl delete ephemeralrunners.runnerset.dev old): the service is asked first, and"
                + " another runner comes");
  }

  private static Optional<Verdict> reported(Instant observed, Instant now) {
    var runners =
        List.of(
            idle("young").since(at(5)).view(), idle("old").since(at(1)).view(), busy("b").view());
    return StrandCondition.of(
        new StrandCondition.Strand(at(0), 1), of(runners), counts(observed, 4, 1, 2), now);
  }

  private static RunnersOfSet of(List<RunnerView> runners) {
    return RunnersOfSet.of(runners, at(0));
  }

  private static ServiceCounts counts(Instant at, int assigned, int running, int idle) {
    return new ServiceCounts(at, assigned, running, running + idle, running, idle);
  }

  private static Instant at(int seconds) {
    return Runners.T0.plusSeconds(seconds);
  }
}
