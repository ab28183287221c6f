package dev.runnerset.controller.features.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the room in quotas is another one (DM13). */
class RoomTotalTest {
  private static final Instant T = Instant.parse("2026-11-29T10:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // the first number, then what is possible at a time in ms since T; the number after each;
        // when it is due
        "a fall is believed at once               | 20 5-10@0                 | 10       |",
        "what may be true stays                   | 20 15-25@0                | 20       |",
        "a rise has to last                       | 2 3-3@0                   | 2        | 1000",
        "the end of a pod comes to us later       | 2 3-3@0 2-3@40            | 2 2      |",
        "and the next end has its own second      | 2 3-3@0 2-3@40 3-3@999 3-3@1001 | 2 2 2 2 | 1999",
        "a rise that lasts is believed            | 2 3-3@0 3-3@1000          | 2 3      |",
        "as far as it is then                     | 2 3-3@0 5-9@1000          | 2 5      |",
        "a rise after a rise has to last, too     | 2 3-3@0 3-3@1000 4-4@1001 | 2 3 3    | 2001",
        "a fall meanwhile is believed             | 2 3-3@0 1-1@500           | 2 1      |",
        "a clock that was set back begins again   | 2 3-3@5000 3-3@0          | 2 2      | 1000",
      })
  void aFallIsBelievedAtOnceAndARiseOnceItHasLasted(
      String rule, String possible, String numbers, Integer due) {
    var steps = possible.split(" ");
    var total = RoomTotal.of(Integer.parseInt(steps[0]));
    var seen = new StringBuilder();
    for (int i = 1; i < steps.length; i++) {
      var step = steps[i].split("[-@]");
      var at = T.plusMillis(Long.parseLong(step[2]));
      total = total.next(Integer.parseInt(step[0]), Integer.parseInt(step[1]), at);
      seen.append(i == 1 ? "" : " ").append(total.places());
    }
    assertThat(seen).hasToString(numbers);
    assertThat(total.requeue().at()).isEqualTo(due == null ? null : T.plusMillis(due));
  }
}
