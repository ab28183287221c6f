package dev.runnerset.controller.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What explains a registration, and whose a name may be (RN20). */
final class RecentRunnersTest {
  private static final Instant T0 = Instant.parse("2026-11-22T12:00:00Z");

  private final TestClock clock = new TestClock(T0);

  @Test
  void aRunnerThatWentExplainsTheCountsOfThatTimeAndKeepsItsNameForAWhile() {
    assertThat(RecentRunners.NONE.isUnknown()).isTrue();
    var seen = RecentRunners.NONE.next(Map.of("a", true, "ended", false), T0);
    assertThat(seen.expectedRegistrations(T0)).isEqualTo(1);
    assertThat(seen.changedAt()).isEqualTo(T0);

    clock.advance(Duration.ofMinutes(5));
    seen = seen.next(Map.of("ended", false), clock.instant());
    assertThat(seen.changedAt()).isEqualTo(clock.instant());
    assertThat(seen.expectedRegistrations(clock.instant()))
        .as("at the moment it went")
        .isEqualTo(1);
    assertThat(seen.expectedRegistrations(clock.instant().plusSeconds(61))).isZero();
    assertThat(seen.names()).containsExactlyInAnyOrder("a", "ended");

    var changed = clock.instant();
    clock.advance(RecentRunners.KNOWN_FOR.plusSeconds(1));
    seen = seen.next(Map.of("ended", false), clock.instant());
    assertThat(seen.names()).containsExactly("ended");
    assertThat(seen.changedAt()).as("nobody came or went").isEqualTo(changed);
  }
}
