package dev.runnerset.deployment.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.deployment.node.ProbeRule.Thresholds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProbeVerdictTest {
  /** {@code +} is a success, {@code -} a failure; what the verdict is after each of them. */
  @ParameterizedTest(name = "{0}: {3} after {2} successes and {1} failures in a row")
  @CsvSource({
    "alive,     true,  1, 3, --+--,  TTTTT",
    "dead,      true,  1, 3, --+---, TTTTTF",
    "ready,     false, 1, 3, --+,    FFT",
    "unready,   false, 1, 2, +--+,   TTFT",
    "slow,      false, 2, 3, ++-+-,  FTTTT",
    "uncertain, false, 2, 3, +-+-,   FFFF",
  })
  void changesAfterEnoughResultsInARow(
      String name, boolean first, int successes, int failures, String results, String expected) {
    var thresholds = new Thresholds(successes, failures);
    var verdict = ProbeVerdict.initially(first);
    var verdicts = new StringBuilder();
    for (char result : results.toCharArray()) {
      verdict = verdict.after(result == '+', thresholds);
      verdicts.append(verdict.passed() ? 'T' : 'F');
    }
    assertThat(verdicts.toString()).as(name).isEqualTo(expected);
  }
}
