package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BackoffTest {
  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @Test
  void theWaitDoublesUpToTheLongest() {
    var backoff = Backoff.of(FIRST, LONGEST);
    assertThat(IntStream.rangeClosed(1, 6).mapToLong(i -> backoff.after(i).toSeconds()))
        .containsExactly(2L, 4L, 8L, 16L, 30L, 30L);
  }

  @Test
  void noNumberOfFailuresOverflows() {
    var backoff = Backoff.of(Duration.ofDays(1), Duration.ofDays(365));
    assertThat(backoff.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(365));
    assertThat(backoff.after(0)).as("counts as the first").isEqualTo(Duration.ofDays(1));
    assertThat(backoff.after(Integer.MIN_VALUE + 1)).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void theJitterTakesOffAtMostItsPart() {
    var backoff = new Backoff(FIRST, LONGEST, 0.5);
    var random = new Random(7);
    for (int i = 0; i < 100; i++) {
      assertThat(backoff.after(3, random)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
    }
    RandomGenerator none = () -> 0;
    assertThat(backoff.after(3, none)).isEqualTo(Duration.ofSeconds(8));
  }

  @Test
  void aBackoffThatNeverWaitsOrNeverGrowsIsRefused() {
    assertThatThrownBy(() -> Backoff.of(Duration.ZERO, LONGEST))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Backoff.of(LONGEST, FIRST))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Backoff(FIRST, LONGEST, 1.1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
