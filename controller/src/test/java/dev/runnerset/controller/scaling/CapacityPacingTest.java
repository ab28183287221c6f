package dev.runnerset.controller.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a number of places goes out (DM12). */
class CapacityPacingTest {
  private static final Instant T = Instant.parse("2026-11-28T10:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // wanted at a time in ms since T, again and again: what is out after each; when it is due
        "the first change goes out at once      | 20@0 25@0            | 25           |",
        "a fall goes out at once                | 20@0 25@0 10@1       | 25 10        |",
        "a fall goes out after a fall           | 20@0 19@1 18@2       | 19 18        |",
        "a rise waits for a second after a fall | 20@0 10@0 20@999     | 10 10        | 1000",
        "and goes out then                      | 20@0 10@0 20@1000    | 10 20        |",
        "a rise waits for a second after a rise | 20@0 21@0 22@10      | 21 21        | 1000",
        "what is held goes as far as it is then | 20@0 21@0 22@10 30@1000 | 21 21 30  |",
        "a rise that is over is not due         | 20@0 21@0 22@10 21@20 | 21 21 21    |",
        "no change is no change                 | 20@0 20@0 20@1       | 20 20        |",
        "a clock that was set back holds none   | 20@0 10@5000 20@1000 | 10 20        |",
      })
  void aFallGoesOutAtOnceAndARiseAtMostOnceASecond(
      String rule, String wanted, String out, Integer due) {
    var steps = wanted.split(" ");
    var pacing = CapacityPacing.first(Integer.parseInt(steps[0].split("@")[0]));
    var seen = new StringBuilder();
    for (int i = 1; i < steps.length; i++) {
      var step = steps[i].split("@");
      pacing = pacing.next(Integer.parseInt(step[0]), T.plusMillis(Long.parseLong(step[1])));
      seen.append(i == 1 ? "" : " ").append(pacing.places());
    }
    assertThat(seen).hasToString(out);
    assertThat(pacing.requeue().at()).isEqualTo(due == null ? null : T.plusMillis(due));
  }
}
