package dev.runnerset.controller.sweep;

import static dev.runnerset.controller.sweep.SweepPlanner.Step.LOOK_FOR_REGISTRATIONS;
import static dev.runnerset.controller.sweep.SweepPlanner.Step.LOOK_FOR_RUNNERS;
import static dev.runnerset.controller.sweep.SweepPlanner.Step.NOTHING;
import static dev.runnerset.controller.sweep.SweepPlanner.Step.READ_COUNTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.RunnerList.Listed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a sweep asks, and about whom (RN20). Times are minutes after the last change. */
final class SweepPlannerTest {
  private static final Instant T0 = Instant.parse("2026-11-22T12:00:00Z");

  private SweepState state = SweepState.NEW;

  private static Instant at(double minutes) {
    return T0.plusMillis(Math.round(minutes * 60_000));
  }

  /** The counts of that minute; null for none. */
  private SweepPlanner.Step step(
      @Nullable Integer registered, double of, int explained, int running, double now) {
    var counted = registered == null ? null : new SweepFacts.Counted(registered, at(of));
    var facts = new SweepFacts(counted, explained, running, T0);
    var decision = SweepPlanner.decide(facts, state, at(now));
    state = decision.state();
    return decision.step();
  }

  @Test
  void withoutCountsOfAfterTheLastChangeThatAreReadOnceTheSetIsCalm() {
    assertThat(step(null, 0, 0, 0, 2.9)).isEqualTo(NOTHING);
    assertThat(step(9, -1, 0, 0, 2.9)).as("older than the change").isEqualTo(NOTHING);
    assertThat(step(null, 0, 0, 0, 3)).isEqualTo(READ_COUNTS);
    assertThat(step(null, 0, 0, 0, 4)).as("it was asked for just now").isEqualTo(NOTHING);
    assertThat(step(null, 0, 0, 0, 8)).as("the reading failed").isEqualTo(READ_COUNTS);
    assertThat(step(2, 8, 2, 2, 9)).isEqualTo(NOTHING);
    assertThat(step(2, 8, 2, 2, 9_999)).as("they agree: nothing for ever").isEqualTo(NOTHING);
  }

  @Test
  void aSetIsReadLaterByItsJitter() {
    state = state.withJitter(Duration.ofMinutes(4), T0);
    assertThat(step(null, 0, 0, 0, 6.9)).isEqualTo(NOTHING);
    assertThat(step(null, 0, 0, 0, 7)).isEqualTo(READ_COUNTS);
  }

  @Test
  void oneCountAloneProvesNothing() {
    assertThat(step(3, 1, 2, 0, 1)).isEqualTo(NOTHING);
    assertThat(step(3, 1, 2, 0, 2.9)).isEqualTo(NOTHING);
    assertThat(step(3, 1, 2, 0, 3)).isEqualTo(READ_COUNTS);
    assertThat(step(2, 3, 2, 0, 3.1)).as("it was a lag").isEqualTo(NOTHING);
    assertThat(step(3, 4, 2, 0, 4)).as("a new doubt").isEqualTo(NOTHING);
    assertThat(step(3, 5, 2, 0, 5)).isEqualTo(NOTHING);
    assertThat(step(3, 6, 2, 0, 6)).isEqualTo(LOOK_FOR_REGISTRATIONS);
  }

  @Test
  void runnersWithoutRegistrationsAreLookedForInTheSameWay() {
    assertThat(step(1, 1, 2, 2, 1)).isEqualTo(NOTHING);
    assertThat(step(1, 3, 2, 2, 3)).isEqualTo(LOOK_FOR_RUNNERS);
  }

  @Test
  void nobodyIsLookedForByOldCounts() {
    assertThat(step(3, 1, 2, 0, 1)).isEqualTo(NOTHING);
    assertThat(step(3, 3, 2, 0, 13.1)).isEqualTo(READ_COUNTS);
  }

  /** A set with registrations that cannot be removed, as those of runners with a job. */
  @Test
  void looksThatRepairNothingAreFewerAndFewer() {
    double lastRead = 1;
    var looks = new ArrayList<Double>();
    int reads = 0;
    for (double now = 1; now < 48 * 60; now += 1) {
      var step = step(3, lastRead, 2, 0, now);
      if (step == READ_COUNTS) {
        lastRead = now;
        reads++;
      } else if (step == LOOK_FOR_REGISTRATIONS) {
        looks.add(now);
        state = state.looked(false, at(now));
      }
    }
    assertThat(looks).as("in two days").hasSizeBetween(8, 14);
    assertThat(looks.get(1) - looks.get(0)).isBetween(10.0, 20.0);
    assertThat(looks.getLast() - looks.get(looks.size() - 2)).isGreaterThanOrEqualTo(360);
    assertThat(reads).isLessThanOrEqualTo(4 * looks.size());
  }

  @Test
  void aRefusedListIsNotAskedForAndCostsNothingUntilThen() {
    state = state.refused(at(360), at(1));
    for (double now = 1; now < 360; now += 1) {
      assertThat(step(3, 2, 2, 0, now)).as("minute " + now).isEqualTo(NOTHING);
    }
  }

  @Test
  void onlyNamesOfTheSetThatNobodyKnowsAreChosen() {
    var list =
        new RunnerList(
            List.of(
                new Listed(new RunnerId(9), "ci-new", false),
                new Listed(new RunnerId(1), "ci-old", false),
                new Listed(new RunnerId(2), "ci-known", false),
                new Listed(new RunnerId(3), "ci-busy", true),
                new Listed(new RunnerId(4), "other", false)),
            5);
    var choice = RegistrationChoice.of(list, name -> name.startsWith("ci-"), Set.of("ci-known"));
    assertThat(choice.idle()).extracting(Listed::name).containsExactly("ci-old", "ci-new");
    assertThat(choice.busy()).extracting(Listed::name).containsExactly("ci-busy");
  }
}
