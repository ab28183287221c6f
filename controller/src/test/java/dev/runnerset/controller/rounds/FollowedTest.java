package dev.runnerset.controller.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rounds begin once, end, and begin again (AC6: only the leader collects, while it leads). */
final class FollowedTest {
  private final List<String> timer = new ArrayList<>();
  private @Nullable Runnable round;
  private final Followed rounds =
      Followed.rounds(
          (delay, period, task) -> {
            timer.add("after " + delay.toSeconds() + " s, every " + period.toSeconds() + " s");
            round = task;
            return () -> timer.add("ended");
          },
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          () -> {
            throw new IllegalStateException("the round");
          });

  @Test
  void roundsBeginOnceEndAndBeginAgain() {
    rounds.close();
    assertThat(timer).isEmpty();
    rounds.begin();
    rounds.begin();
    rounds.close();
    rounds.close();
    rounds.begin();
    var begun = "after 1 s, every 2 s";
    assertThat(timer).containsExactly(begun, "ended", begun);
  }

  @Test
  void aRoundThatFailsIsNoFailureOfTheTimer() {
    rounds.begin();
    assertThatCode(Objects.requireNonNull(round)::run).doesNotThrowAnyException();
  }
}
