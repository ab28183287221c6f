package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.RunnerRemoval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a refusal lasts, and how often a set may ask (SD5, SD6). */
class RemovalLimitsTest {
  @ParameterizedTest(name = "SD5 refusal {0} counts for {1} min")
  @CsvSource({"1,5", "2,10", "3,20", "4,30", "5,30", "40,30"})
  void aRefusalCountsLongerEachTime(int refusal, int minutes) {
    var before = refusal == 1 ? null : new RunnerRemoval(T0, refusal - 1);
    assertThat(BusySuspicion.afterRefusal(before, T0))
        .isEqualTo(new RunnerRemoval(T0.plus(Duration.ofMinutes(minutes)), refusal));
  }

  @ParameterizedTest(name = "SD5 at {0} s of the suspicion it stands: {1}")
  @CsvSource({"299,true", "300,false", "301,false"})
  void aSuspicionStandsUntilItsInstant(int second, boolean stands) {
    var removal = BusySuspicion.afterRefusal(null, T0);
    assertThat(BusySuspicion.isStanding(removal, T0.plusSeconds(second))).isEqualTo(stands);
  }

  @Test
  void withoutARefusalNothingStands() {
    assertThat(BusySuspicion.isStanding(null, T0)).isFalse();
    assertThat(BusySuspicion.isStanding(new RunnerRemoval(null, null), T0)).isFalse();
    assertThat(BusySuspicion.afterRefusal(new RunnerRemoval(null, null), T0).refusals()).isOne();
  }

  @Test
  void i3ARunnerIsAskedForAtMostTwiceInAnyTenMinutes() {
    RunnerRemoval removal = null;
    var asked = new ArrayList<Instant>();
    for (int second = 0; second < 6 * 3600; second++) {
      var now = T0.plusSeconds(second);
      if (!BusySuspicion.isStanding(removal, now)) {
        asked.add(now);
        removal = BusySuspicion.afterRefusal(removal, now);
      }
    }
    assertThat(asked).hasSizeGreaterThan(10);
    for (int i = 2; i < asked.size(); i++) {
      assertThat(Duration.between(asked.get(i - 2), asked.get(i)))
          .isGreaterThan(Duration.ofMinutes(10));
    }
  }

  private static RemovalBudget spent(RemovalBudget budget, Instant now) {
    return budget.refused(now).refused(now);
  }

  @Test
  void sd6TheBackoffDoublesFromThirtySecondsToTwoMinutes() {
    var budget = RemovalBudget.FRESH;
    var now = T0;
    for (int seconds : new int[] {30, 60, 120, 120, 120}) {
      budget = spent(budget, now);
      assertThat(budget.atOnce(now.plusSeconds(seconds - 1))).as("%s s", seconds).isZero();
      assertThat(budget.moreAt(now)).isEqualTo(now.plusSeconds(seconds));
      now = now.plusSeconds(seconds);
      assertThat(budget.atOnce(now)).as("%s s", seconds).isEqualTo(2);
    }
  }

  @Test
  void sd6ARemovalEndsTheDoublingAndForgetsNoRefusal() {
    var budget = spent(spent(RemovalBudget.FRESH, T0), T0.plusSeconds(30));
    var later = T0.plusSeconds(90);
    assertThat(spent(budget.removed(), later).notBefore()).isEqualTo(later.plusSeconds(30));
    var once = RemovalBudget.FRESH.refused(T0).removed();
    assertThat(once.atOnce(T0)).isOne();
    assertThat(once.refused(T0.plusSeconds(29)).atOnce(T0.plusSeconds(29))).isZero();
  }

  @ParameterizedTest(name = "SD6 {0}: closed {1}")
  @CsvSource({"f,false", "ff,true", "frf,false", "fbf,false", "rff,true", "f-f,false"})
  void twoErrorsInThirtySecondsWithoutAnAnswerMakeTheSetWait(String answers, boolean closed) {
    var budget = RemovalBudget.FRESH;
    var now = T0;
    for (char answer : answers.toCharArray()) {
      now = answer == '-' ? now.plusSeconds(30) : now;
      budget =
          switch (answer) {
            case 'f' -> budget.failed(now);
            case 'r' -> budget.removed();
            case 'b' -> budget.refused(now);
            default -> budget;
          };
    }
    assertThat(budget.notBefore()).isEqualTo(closed ? T0.plusSeconds(30) : Instant.EPOCH);
  }

  @Test
  void aServiceThatFailsIsAskedLessAndLessOften() {
    var budget = RemovalBudget.FRESH;
    for (int seconds : new int[] {30, 60, 120, 120}) {
      budget = budget.failed(T0).failed(T0);
      assertThat(budget.notBefore()).isEqualTo(T0.plusSeconds(seconds));
    }
    assertThat(budget.removed().failed(T0).failed(T0).notBefore()).isEqualTo(T0.plusSeconds(30));
  }

  @Test
  void i3ARefusalTakesOnePlaceForThirtySeconds() {
    assertThat(RemovalBudget.FRESH.atOnce(T0)).isEqualTo(2);
    assertThat(RemovalBudget.FRESH.moreAt(T0)).isNull();
    var once = RemovalBudget.FRESH.refused(T0);
    assertThat(once.atOnce(T0.plusSeconds(29))).isOne();
    assertThat(once.moreAt(T0)).isEqualTo(T0.plusSeconds(30));
    assertThat(once.atOnce(T0.plusSeconds(30))).isEqualTo(2);
    assertThat(once.refused(T0.plusSeconds(30)).atOnce(T0.plusSeconds(30))).isOne();
  }
}
