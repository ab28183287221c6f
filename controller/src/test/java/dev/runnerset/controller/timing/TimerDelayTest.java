package dev.runnerset.controller.timing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The framework's timer drops nanoseconds, takes 0 as at once, and refuses less. */
final class TimerDelayTest {
  record Row(Duration wanted, Duration expected) {}

  static Stream<Row> rows() {
    return Stream.of(
        new Row(Duration.ofSeconds(-5), Duration.ofMillis(1)),
        new Row(Duration.ZERO, Duration.ofMillis(1)),
        new Row(Duration.ofNanos(1), Duration.ofMillis(1)),
        new Row(Duration.ofMillis(1), Duration.ofMillis(1)),
        new Row(Duration.ofMillis(1).plusNanos(1), Duration.ofMillis(2)),
        new Row(Duration.ofSeconds(3), Duration.ofSeconds(3)),
        new Row(Duration.ofMillis(2).minusNanos(1), Duration.ofMillis(2)),
        new Row(Duration.ofDays(365), Duration.ofDays(365)),
        new Row(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(365)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isNeverEarlyAndNeverNegative(Row row) {
    assertThat(TimerDelay.of(row.wanted())).isEqualTo(row.expected());
  }

  @Test
  void untilATimeOrNever() {
    var now = Instant.parse("2026-11-20T10:00:00Z");
    assertThat(TimerDelay.until(now, RequeueTime.NEVER)).isEmpty();
    assertThat(TimerDelay.until(now, RequeueTime.at(now.plusSeconds(3))))
        .contains(Duration.ofSeconds(3));
    assertThat(TimerDelay.until(now, RequeueTime.at(now.minusSeconds(3))))
        .contains(Duration.ofMillis(1));
  }
}
