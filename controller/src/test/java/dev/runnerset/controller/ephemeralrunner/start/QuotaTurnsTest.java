package dev.runnerset.controller.ephemeralrunner.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ownership.SetKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Row 10: while a quota refuses, one runner of a set tries at a time (RN13). */
class QuotaTurnsTest {
  private static final SetKey SET = new SetKey("ci", "linux");
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private final QuotaTurns turns = new QuotaTurns();

  private boolean mayTry(String runner, boolean isRegistered, double seconds) {
    return turns.ask(SET, runner, isRegistered, at(seconds)).isEmpty();
  }

  private static Instant at(double seconds) {
    return T0.plusMillis((long) (seconds * 1000));
  }

  private void refused(String runner, double seconds) {
    turns.refused(SET, runner, "exceeded quota: " + runner, at(seconds));
  }

  @Test
  void whileNothingIsRefusedNobodyWaits() {
    assertThat(mayTry("a", false, 0)).isTrue();
    assertThat(mayTry("b", false, 0)).isTrue();
  }

  @Test
  void afterARefusalTheSameRunnerTriesAndTheOthersAreNotBegun() {
    refused("a", 0);
    for (int second = 1; second <= 100; second++) {
      if (second % 5 == 0) {
        assertThat(mayTry("a", true, second)).as("a after %d s", second).isTrue();
        refused("a", second);
      }
      assertThat(mayTry("b", false, second)).as("b after %d s", second).isFalse();
    }
    assertThat(turns.ask(new SetKey("ci", "other"), "c", false, at(100))).isEmpty();
  }

  @Test
  void aRunnerThatIsRegisteredHasTheNextTurn() {
    refused("a", 0);
    refused("b", 0.1); // it had begun, too
    assertThat(mayTry("c", false, 1)).isFalse();
    turns.made(SET, "a");
    assertThat(mayTry("c", false, 2)).as("b would have registered in vain").isFalse();
    assertThat(mayTry("b", true, 3)).isTrue();
    turns.made(SET, "b");
    assertThat(mayTry("c", false, 4)).isTrue();
    assertThat(mayTry("d", false, 4)).isFalse();
  }

  @Test
  void aRunnerThatNeverComesBackLosesItsTurn() {
    refused("a", 0);
    assertThat(mayTry("b", false, 14.9)).isFalse();
    assertThat(mayTry("b", false, 15)).isTrue();
  }

  @Test
  void halfAMinuteWithoutARefusalEndsIt() {
    refused("a", 0);
    turns.made(SET, "a");
    assertThat(mayTry("b", false, 29)).isTrue();
    assertThat(mayTry("c", false, 29.9)).isFalse();
    assertThat(mayTry("c", false, 30)).isTrue();
    refused("a", 100);
    assertThat(mayTry("d", false, -3600)).as("the clock was put back").isTrue();
  }

  /** It would register in vain, and all the others after it. */
  @Test
  void aThreadThatReadTheClockBeforeTheRefusalAlsoWaits() {
    refused("a", 0);
    assertThat(mayTry("b", false, -0.001)).isFalse();
    assertThat(mayTry("c", false, 1)).isFalse();
  }

  /** Else the status of each that waits would be written at each try. */
  @Test
  void theWordsStayTheSameWhileItLasts() {
    refused("a", 0);
    refused("a", 5);
    assertThat(turns.ask(SET, "b", false, at(6)).orElseThrow().words())
        .isEqualTo("exceeded quota: a");
  }
}
