package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.RunnerRemoval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  private static RemovalBudget spent(RemovalBudget budget, int removed, Instant now) {
    return budget.after(removed, RemovalBudget.REFUSALS_PER_PASS, 0, now);
  }

  @Test
  void theBackOffDoublesFromThirtySecondsToTwoMinutes() {
    var budget = RemovalBudget.FRESH;
    for (int seconds : new int[] {30, 60, 120, 120, 120}) {
      budget = spent(budget, 0, T0);
      assertThat(budget.isOpen(T0.plusSeconds(seconds - 1))).as("%s s", seconds).isFalse();
      assertThat(budget.isOpen(T0.plusSeconds(seconds))).as("%s s", seconds).isTrue();
      assertThat(budget.isOpen(T0.plusSeconds(seconds + 1))).as("%s s", seconds).isTrue();
    }
  }

  @Test
  void aRemovalThatSucceededResetsTheDoublingButNotTheLimitOfItsPass() {
    var budget = spent(spent(RemovalBudget.FRESH, 0, T0), 0, T0);
    var mixed = spent(budget, 1, T0);
    assertThat(mixed.notBefore()).isEqualTo(T0.plusSeconds(30));
    var reset = budget.after(1, 0, 0, T0.plusSeconds(60));
    assertThat(spent(reset, 0, T0.plusSeconds(60)).notBefore()).isEqualTo(T0.plusSeconds(90));
  }

  @Test
  void aPassThatNeitherRemovedNorWasRefusedChangesNothing() {
    var budget = spent(spent(RemovalBudget.FRESH, 0, T0), 0, T0);
    assertThat(spent(budget.after(0, 0, 0, T0.plusSeconds(60)), 0, T0.plusSeconds(60)).notBefore())
        .isEqualTo(T0.plusSeconds(180));
  }

  @ParameterizedTest(name = "0018 {0} removed, {1} failed: the next pass after {2} s")
  @CsvSource({"0,0,0", "0,1,0", "0,2,30", "0,3,30", "5,2,30"})
  void aPassThatEndedAtItsSecondErrorMakesTheSetWait(int removed, int failed, int seconds) {
    var budget = RemovalBudget.FRESH.after(removed, 0, failed, T0);
    assertThat(budget.isOpen(T0.plusSeconds(seconds).minusMillis(1))).isEqualTo(seconds == 0);
    assertThat(budget.isOpen(T0.plusSeconds(seconds))).isTrue();
  }

  @Test
  void aServiceThatFailsIsAskedLessAndLessOften() {
    var budget = RemovalBudget.FRESH;
    for (int seconds : new int[] {30, 60, 120, 120}) {
      budget = budget.after(0, 0, RemovalBudget.FAILURES_PER_PASS, T0);
      assertThat(budget.notBefore()).isEqualTo(T0.plusSeconds(seconds));
    }
    assertThat(budget.after(1, 0, 2, T0).notBefore()).isEqualTo(T0.plusSeconds(30));
  }

  /** A bound of one candidate a pass (SD4) must not make a refusal a pass for ever. */
  @Test
  void i3ARefusalOfOnePassCountsInTheNextThatFollowsAtOnce() {
    var once = RemovalBudget.FRESH.after(0, 1, 0, T0);
    assertThat(once.isOpen(T0)).isTrue();
    assertThat(once.refusalsLeft(T0)).isEqualTo(1);
    assertThat(once.refusalsLeft(T0.plusSeconds(29))).isEqualTo(1);
    assertThat(once.refusalsLeft(T0.plusSeconds(30))).isEqualTo(2);
    var twice = once.after(0, 1, 0, T0.plusSeconds(1));
    assertThat(twice.isOpen(T0.plusSeconds(30))).isFalse();
    assertThat(twice.isOpen(T0.plusSeconds(31))).isTrue();
    assertThat(twice.refusalsLeft(T0.plusSeconds(31))).isEqualTo(2);
  }

  @Test
  void aRefusalLongAgoOrBeforeARemovalDoesNotCount() {
    var once = RemovalBudget.FRESH.after(0, 1, 0, T0);
    assertThat(once.after(0, 1, 0, T0.plusSeconds(30)).isOpen(T0.plusSeconds(30))).isTrue();
    assertThat(once.after(1, 1, 0, T0).isOpen(T0)).isTrue();
    assertThat(once.after(1, 0, 0, T0).refusalsLeft(T0)).isEqualTo(2);
  }

  @Test
  void theFirstBudgetIsOpenAndWhole() {
    assertThat(List.of(RemovalBudget.FRESH.isOpen(T0), RemovalBudget.FRESH.refusalsLeft(T0) == 2))
        .containsOnly(true);
  }
}
