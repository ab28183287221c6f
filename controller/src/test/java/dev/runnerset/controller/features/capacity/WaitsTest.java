package dev.runnerset.controller.features.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DM13: sets share by what they wait for, and a job that waits for several is counted once. */
class WaitsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // own + available @ labels: how many runners
        "alone                              | 3+7@a             | 10",
        "another one waits for other jobs   | 3+7@a 0+90@b      | 10",
        "both wait for the same ten jobs    | 3+10@a 0+10@a     | 8",
        "an odd number                      | 0+7@a 0+7@a       | 4",
        "it has not learned of them yet     | 0+0@a 0+10@a      | 5",
        "three sets                         | 1+9@a 1+9@a 1+9@a | 4",
      })
  void inTotal(String rule, String sets, int runners) {
    var all = List.of(sets.split(" ")).stream().map(WaitsTest::waits).toList();
    assertThat(all.getFirst().among(Waits.byJobs(all))).isEqualTo(runners);
  }

  private static Waits waits(String text) {
    var parts = text.split("[+@]");
    return new Waits(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
  }
}
