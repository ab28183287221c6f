package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RequeueTimeTest {
  private static final Instant EARLY = Instant.parse("2026-11-20T10:00:00Z");
  private static final Instant LATE = EARLY.plusSeconds(1);

  @Test
  void theEarlierOfTwoCounts() {
    assertThat(RequeueTime.at(LATE).or(RequeueTime.at(EARLY)).at()).isEqualTo(EARLY);
    assertThat(RequeueTime.at(EARLY).or(LATE).at()).isEqualTo(EARLY);
  }

  @Test
  void neverGivesWayToAnyInstant() {
    assertThat(RequeueTime.NEVER.or(LATE).at()).isEqualTo(LATE);
    assertThat(RequeueTime.at(LATE).or(RequeueTime.NEVER).at()).isEqualTo(LATE);
    assertThat(RequeueTime.NEVER.or(RequeueTime.NEVER).isNever()).isTrue();
    assertThat(RequeueTime.at(Optional.empty())).isEqualTo(RequeueTime.NEVER);
  }

  @Test
  void theEarliestOfMany() {
    var times = Stream.of(RequeueTime.NEVER, RequeueTime.at(LATE), RequeueTime.at(EARLY));
    assertThat(RequeueTime.earliest(times).toOptional()).contains(EARLY);
    assertThat(RequeueTime.earliest(Stream.of()).isNever()).isTrue();
  }
}
