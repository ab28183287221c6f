package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.time.Instant;
import okhttp3.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protocol 5.3: calls that can wait leave GitHub's limits to others. */
final class SpareCallsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private final TestClock clock = new TestClock(NOW);
  private final SpareCalls calls = new SpareCalls(clock);

  @Test
  void atMostTwentyAreSentInAMinute() {
    for (int i = 0; i < SpareCalls.MOST_A_MINUTE; i++) {
      assertThat(calls.take()).isNull();
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(calls.take()).as("when the first is a minute old").isEqualTo(NOW.plusSeconds(60));
    clock.advance(Duration.ofSeconds(40));
    assertThat(calls.take()).isNull();
    assertThat(calls.take()).isEqualTo(NOW.plusSeconds(61));
  }

  @ParameterizedTest
  @CsvSource({
    "5000, 1000, false",
    "5000, 999, true",
    "5000, 0, true",
    "60, 12, false",
    "60, 11, true",
    "5000, , false",
    ", 3, false",
    "much, 3, false",
    "5000, -1, false",
    "0, 0, false"
  })
  void noneIsSentWhileLittleOfTheLimitIsLeft(String limit, String left, boolean held) {
    var headers = new Headers.Builder();
    if (limit != null) {
      headers.add("X-RateLimit-Limit", limit);
    }
    if (left != null) {
      headers.add("X-RateLimit-Remaining", left);
    }
    headers.add("X-RateLimit-Reset", Long.toString(NOW.plusSeconds(600).getEpochSecond()));
    calls.answered(headers.build());

    assertThat(calls.take()).isEqualTo(held ? NOW.plusSeconds(600) : null);
    clock.advance(Duration.ofSeconds(600));
    assertThat(calls.take()).as("after the reset").isNull();
  }

  @Test
  void theLongerWaitHolds() {
    calls.hold(Duration.ofSeconds(90));
    calls.hold(Duration.ofSeconds(10));
    assertThat(calls.take()).isEqualTo(NOW.plusSeconds(90));
  }
}
