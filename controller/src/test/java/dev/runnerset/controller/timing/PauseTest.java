package dev.runnerset.controller.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PauseTest {
  private static final Instant NOTED = Instant.parse("2026-11-21T12:00:00Z");

  @ParameterizedTest(name = "{0} ms after it was noted: too early is {1}")
  @CsvSource({
    "0, true",
    "4999, true",
    "5000, false",
    "9999, false",
    "-1, true",
    "-5000, true",
    "-5001, false",
    "-3600000, false"
  })
  void aClockThatStepsFarBackEndsThePause(long millis, boolean on) {
    var longest = Duration.ofSeconds(5);
    assertThat(Pause.isOn(NOTED.plus(longest), longest, NOTED.plusMillis(millis))).isEqualTo(on);
  }
}
