package dev.runnerset.actions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RN21: a version is of digits and dots before it enters a URL. */
final class RunnerVersionTest {
  @ParameterizedTest
  @CsvSource({
    "2.338.1, 2.338.1",
    "v2.338.1, 2.338.1",
    "' 2.338.1 ', 2.338.1",
    "2.338, 2.338",
    "2.338.1.4, 2.338.1.4",
    "2, ''",
    "2.338.1-rc1, ''",
    "2.338.1/../../x, ''",
    "2.338.1?x=1, ''",
    "2..1, ''",
    "٢.١.٠, ''",
    "123456.1, ''",
    "latest, ''",
    "'', ''",
    ", ''"
  })
  void onlyDigitsAndDotsAreAVersion(String text, String version) {
    assertThat(RunnerVersion.parse(text).map(RunnerVersion::text).orElse("")).isEqualTo(version);
  }
}
