package dev.runnerset.controller.features.rerun;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.LostJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RR5: how long after one reading of a run the next one comes. */
final class RerunTimesTest {
  private static final Instant LOST_AT = Instant.parse("2026-11-01T10:00:00Z");

  private static LostJob loss(@Nullable Integer asked) {
    return new LostJob("my-org/app", 7, 1L, "node_down", LOST_AT, asked);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, PT5S",
    "PT59S, PT5S",
    "PT1M, PT30S",
    "PT15M59S, PT30S",
    "PT16M, PT2M",
    "PT23H, PT2M"
  })
  void rr5AnOrderlyEndIsNoticedInSecondsAndAHardOneAfterTenMinutes(Duration after, Duration pause) {
    var now = LOST_AT.plus(after);
    assertThat(RerunTimes.next(List.of(loss(null)), now)).isEqualTo(now.plus(pause));
  }

  @ParameterizedTest
  @CsvSource({"PT0S, PT2M", "PT10M, PT2M"})
  void rr5AnAttemptThatWasAskedForIsOnlyFollowed(Duration after, Duration pause) {
    var now = LOST_AT.plus(after);
    assertThat(RerunTimes.next(List.of(loss(2)), now)).isEqualTo(now.plus(pause));
    assertThat(RerunTimes.next(List.of(loss(2), loss(null)), LOST_AT))
        .as("the first of both")
        .isEqualTo(LOST_AT.plusSeconds(5));
  }
}
