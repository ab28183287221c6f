package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.RunnerCounts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is reported of runners that fail before they get a job, for how long, and over a restart.
 */
class FailingConditionTest {
  private static final String REVISION = "r";
  private static final RunnerCounts NONE_STANDS = new RunnerCounts(2, 0, 0, 0, 0, 0, 0);
  private static final RunnerCounts ALL_STAND = new RunnerCounts(2, 2, 0, 1, 1, 0, 0);
  private static final RunnerCounts NONE_WANTED = new RunnerCounts(0, 0, 0, 0, 0, 0, 0);

  private final CreationMemory memory = fresh();

  private static CreationMemory fresh() {
    var memory = new CreationMemory();
    memory.revision(REVISION);
    return memory;
  }

  private static Instant in(int seconds) {
    return T0.plusSeconds(seconds);
  }

  private static Optional<Verdict> reported(CreationMemory of, RunnerCounts counts, Instant now) {
    return of.failing(counts, now);
  }

  @Test
  void theMessageCountsRunnersAndNamesTheNextTryAndTheLastFailure() {
    memory.failed(T0, "a: ContainerExited: exit code 1", false);
    memory.failed(in(1), "b: ContainerExited: exit code 1", false);
    memory.failed(in(2), "c: OOMKilled: more than its limit", false);
    var condition = reported(memory, NONE_STANDS, in(3)).orElseThrow();
    assertThat(condition.reason().word()).isEqualTo("BackOff");
    assertThat(condition.message())
        .isEqualTo(
            "3 runners failed before they got a job, since 2026-01-01T00:00:00Z; the next one is"
                + " made at 2026-01-01T00:00:06Z; last: c: OOMKilled: more than its limit");
    assertThat(reported(memory, NONE_STANDS, in(6)).orElseThrow().message())
        .as("a time that has passed is not promised")
        .contains("the next one is made as soon as it is wanted");
  }

  @Test
  void runnersThatCannotBeMadeAreNoFailedRunners() {
    memory.creationFailed(T0, "runners cannot be made: forbidden", false);
    assertThat(reported(memory, NONE_STANDS, in(1)).orElseThrow())
        .returns(LimitedBy.FAILING, Verdict::limits)
        .satisfies(v -> assertThat(v.message()).startsWith("no runner can be made, since "));
  }

  @Test
  void aQuotaOfObjectsIsReportedAsAQuotaAlsoByTheNextProcess() {
    memory.creationFailed(T0, "runners cannot be made: exceeded quota: q", true);
    var next = new CreationMemory();
    next.restore(memory.failures(in(1)), true);
    for (var process : List.of(memory, next)) {
      assertThat(reported(process, NONE_STANDS, in(1)).orElseThrow())
          .returns("Quota", v -> v.reason().word())
          .returns(LimitedBy.QUOTA, Verdict::limits);
    }
    memory.failed(in(2), "c: OOMKilled: of a quota of memory", false);
    assertThat(reported(memory, NONE_STANDS, in(3)).orElseThrow())
        .returns(LimitedBy.FAILING, Verdict::limits);
  }

  @ParameterizedTest(name = "a failure of {0}, after {1} s: reported {2}")
  @CsvSource({
    "NONE_STANDS, 301, true",
    "NONE_STANDS, 302, false",
    "NONE_WANTED, 301, true",
    "NONE_WANTED, 302, false",
    "ALL_STAND, 19, true",
    "ALL_STAND, 20, false",
  })
  void itIsOverWhenTheFailureIsOldOrAllWantedRunnersStand(
      String counts, int seconds, boolean expected) {
    memory.failed(T0, "why", false);
    var now =
        switch (counts) {
          case "NONE_STANDS" -> NONE_STANDS;
          case "NONE_WANTED" -> NONE_WANTED;
          default -> ALL_STAND;
        };
    assertThat(reported(memory, now, in(seconds)).isPresent()).isEqualTo(expected);
  }

  @Test
  void onePodThatIsTakenAwayIsNoFailureOfTheSetAndASecondIs() {
    memory.failed(T0, "a: PodDeleted", true);
    assertThat(reported(memory, NONE_STANDS, in(1))).isEmpty();
    assertThat(memory.backoff().failures()).as("the next one waits all the same").isOne();
    memory.failed(in(60), "b: PodDeleted", true);
    assertThat(reported(memory, NONE_STANDS, in(61))).isPresent();
  }

  @Test
  void aJobEndsIt() {
    memory.failed(T0, "why", false);
    memory.gotJob();
    assertThat(memory.failures(in(1))).isNull();
    assertThat(reported(memory, NONE_STANDS, in(1))).isEmpty();
    memory.failed(in(2), "why", false);
    assertThat(memory.failures(in(2))).extracting(f -> f.runners()).isEqualTo(1);
  }

  @Test
  void whatHasHealedDoesNotComeBackWhenMoreRunnersAreWanted() {
    memory.failed(T0, "a: why", false);
    memory.failed(in(2), "b: why", false);
    var backoff = memory.backoff();
    assertThat(reported(memory, ALL_STAND, in(21))).isPresent();
    assertThat(reported(memory, ALL_STAND, in(22))).isEmpty();
    assertThat(reported(memory, NONE_STANDS, in(23))).as("without a new failure").isEmpty();
    assertThat(memory.backoff()).as("the next failure waits longer").isEqualTo(backoff);
    var next = new CreationMemory();
    next.restore(memory.failures(in(24)), false);
    next.revision(REVISION);
    for (var each : List.of(memory, next)) {
      assertThat(reported(each, NONE_STANDS, in(25))).as("after a restart").isEmpty();
      each.failed(in(26), "lost: PodDeleted", true);
      assertThat(reported(each, NONE_STANDS, in(26))).as("one pod, taken away").isEmpty();
      each.failed(in(60), "c: why", false);
      assertThat(reported(each, NONE_STANDS, in(60)).orElseThrow().message())
          .startsWith("2 runners failed before they got a job, since 2026-01-01T00:00:26Z");
      assertThat(each.failures(in(60))).extracting(f -> f.waves()).isEqualTo(4);
    }
  }

  @Test
  void aRestartForgetsNothing() {
    memory.failed(T0, "a: why", false);
    memory.failed(in(2), "b: why", false);
    var next = new CreationMemory();
    next.restore(memory.failures(in(3)), true);
    next.revision(REVISION);
    assertThat(next.backoff()).isEqualTo(memory.backoff());
    assertThat(reported(next, NONE_STANDS, in(4))).isEqualTo(reported(memory, NONE_STANDS, in(4)));
    next.restore(null, true);
    assertThat(next.failures(in(4))).as("once").isNotNull();
    next.revision("other");
    assertThat(next.failures(in(4))).as("another revision is tried at once").isNull();
    var late = new CreationMemory();
    late.restore(memory.failures(in(3)), true);
    assertThat(late.failures(in(3600))).as("old failures are forgotten").isNull();
    var other = new CreationMemory();
    other.restore(memory.failures(in(3)), true);
    other.revision("other");
    assertThat(other.backoff()).isEqualTo(CreationBackoff.NONE);
  }

  @Test
  void aRefusedVersionHasItsOwnReason() {
    var rejected = FailingCondition.rejected();
    assertThat(rejected.reason().word()).isEqualTo("RunnerVersionRejected");
  }

  @Test
  void aMessageIsBounded() {
    memory.failed(T0, "x".repeat(5000), false);
    assertThat(reported(memory, NONE_STANDS, in(1)).orElseThrow().message())
        .hasSizeLessThanOrEqualTo(1000);
  }
}
