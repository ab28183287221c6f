package dev.runnerset.simulator.kube.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AgeTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT119S, 119s",
    "PT200S, 3m20s",
    "PT10M, 10m",
    "PT3H30M, 3h30m",
    "PT8H1M, 8h",
    "P2DT5H, 2d5h",
    "P9D, 9d"
  })
  void age(Duration duration, String shown) {
    assertThat(Age.of(duration)).isEqualTo(shown);
  }
}
