package dev.runnerset.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scenario {@code chaos} holds against a set that says what is not so. */
final class TruthTest {
  private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");
  private static final String OUTAGE = "Ready ServiceUnavailable: nobody answers";

  private final Truth truth = new Truth();

  @BeforeEach
  void anOutageMayBeReported() {
    truth.expect(Pattern.compile("ServiceUnavailable"), Duration.ofSeconds(30));
  }

  @Test
  void whatIsSoIsTrue() {
    for (int second = 0; second < 100; second++) {
      truth.observe(at(second), well(1, 1), facts(running(0)));
    }
    assertThat(truth.untrue()).isEmpty();
    assertThat(truth.oldestNumbers()).isZero();
  }

  @Test
  void aSetIsNotWellWhileAJobWaitsForLongerThanTheBar() {
    for (int second = 0; second <= 30; second++) {
      truth.observe(at(second), well(1, 0), facts(waiting(0)));
    }
    assertThat(truth.untrue()).isEmpty();

    truth.observe(at(31), well(1, 0), facts(waiting(0)));
    assertThat(truth.untrue())
        .containsExactly("it says that it is well while a job waits for longer than 30 s");
    assertThat(truth.longestWait()).hasSeconds(31);
  }

  @Test
  void aJobMayWaitWhileTheSetReportsAProblem() {
    for (int second = 0; second < 100; second++) {
      truth.observe(at(second), reported(OUTAGE, 1, 0), facts(waiting(0)));
    }
    truth.observe(at(100), well(1, 0), facts(waiting(0)));
    assertThat(truth.untrue()).isEmpty();
  }

  @Test
  void aSetThatNobodyCanReadSaysNothingAndHasTheBarAfterwards() {
    truth.observe(at(0), well(1, 0), facts(waiting(0)));
    for (int second = 1; second < 60; second++) {
      truth.observe(at(second), Optional.empty(), facts(waiting(0)));
    }
    for (int second = 60; second <= 90; second++) {
      truth.observe(at(second), well(1, 0), facts(waiting(0)));
    }
    assertThat(truth.untrue()).isEmpty();
    assertThat(truth.unreadable()).hasSeconds(58);

    truth.observe(at(91), well(1, 0), facts(waiting(0)));
    assertThat(truth.untrue()).hasSize(1);
  }

  @Test
  void numbersThatStandStillGrowOld() {
    var ended = new Truth.Job(at(0), at(0), at(0), at(10));
    for (int second = 0; second <= 40; second++) {
      truth.observe(at(second), well(1, 1), facts(ended));
    }
    assertThat(truth.untrue()).isEmpty();
    assertThat(truth.oldestNumbers()).hasSeconds(30);

    truth.observe(at(41), well(1, 1), facts(ended));
    assertThat(truth.untrue()).containsExactly("it says numbers of jobs that are older than 30 s");
  }

  @Test
  void numbersMayBeOldWhileAProblemSaysWhy() {
    var ended = new Truth.Job(at(0), at(0), at(0), at(10));
    for (int second = 0; second < 100; second++) {
      truth.observe(at(second), reported(OUTAGE, 1, 1), facts(ended));
    }
    assertThat(truth.untrue()).isEmpty();
  }

  @Test
  void aProblemThatIsNotThereIsNotTrue() {
    truth.observe(at(0), reported("Ready SecretNotFound: no secret 12", 0, 0), facts());
    truth.observe(at(1), reported("Ready SecretNotFound: no secret 13", 0, 0), facts());
    assertThat(truth.untrue())
        .containsExactly("it tells of what is not there: Ready SecretNotFound: no secret 12");
  }

  @Test
  void aProblemThatIsOverMayBeReportedForAWhile() {
    truth.observe(at(0), reported(OUTAGE, 0, 0), facts());
    truth.endAt(at(40));
    truth.observe(at(40), reported(OUTAGE, 0, 0), facts());
    assertThat(truth.untrue()).isEmpty();

    truth.observe(at(41), reported(OUTAGE, 0, 0), facts());
    assertThat(truth.untrue()).hasSize(1);
  }

  private static Instant at(int second) {
    return T.plusSeconds(second);
  }

  private static Truth.Facts facts(Truth.Job... jobs) {
    return new Truth.Facts(List.of(jobs));
  }

  private static Truth.Job running(int since) {
    return job(since, at(since));
  }

  private static Truth.Job waiting(int since) {
    return job(since, null);
  }

  private static Truth.Job job(int since, @Nullable Instant started) {
    return new Truth.Job(at(since), at(since), started, null);
  }

  private static Optional<Truth.Said> well(int assigned, int running) {
    return Optional.of(new Truth.Said(true, List.of(), assigned, running));
  }

  private static Optional<Truth.Said> reported(String problem, int assigned, int running) {
    return Optional.of(new Truth.Said(false, List.of(problem), assigned, running));
  }
}
