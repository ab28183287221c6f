package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NearestWordTest {
  private static final List<String> FLAGS = List.of("--grace", "--health-port", "--identity");

  @ParameterizedTest
  @CsvSource({
    "--healthport, --health-port",
    "--Health-Port, --health-port",
    "--identitiy, --identity",
    "--grcae, --grace",
  })
  void theNearestOfThoseThatAreNear(String given, String nearest) {
    assertThat(NearestWord.to(given, FLAGS)).contains(nearest);
  }

  @Test
  void noneIfNoneIsNear() {
    assertThat(NearestWord.to("--log-level", FLAGS)).isEmpty();
    assertThat(NearestWord.to("", FLAGS)).isEmpty();
  }
}
