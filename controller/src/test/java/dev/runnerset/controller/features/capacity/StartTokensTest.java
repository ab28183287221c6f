package dev.runnerset.controller.features.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many runners may start (DM14). */
class StartTokensTest {
  private static final Instant T = Instant.parse("2026-11-28T10:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // a minute, started in the minute before, then starts at seconds since T: left, next at s
        "all at once                      | 6 | 0 | 6@0         | 0 | 10",
        "a token each tenth of a minute   | 6 | 0 | 6@0 0@10    | 1 | 20",
        "tokens come while none is taken  | 6 | 0 | 6@0 0@35    | 3 | 40",
        "no more than the limit           | 6 | 0 | 6@0 0@3600  | 6 |",
        "a full bucket waits for nothing  | 6 | 0 | 0@0         | 6 |",
        "a restart counts what it finds   | 6 | 4 | 0@0         | 2 | 10",
        "more than allowed were started   | 6 | 0 | 8@0         | 0 | 10",
        "and are made up for              | 6 | 0 | 8@0 0@20    | 0 | 30",
        "a clock that was set back        | 6 | 0 | 6@60 0@0    | 0 | 10",
      })
  void aMinuteBringsAsManyAsTheLimit(
      String rule, int perMinute, int started, String starts, int left, Long nextSeconds) {
    var tokens = StartTokens.of(perMinute, started, T);
    for (var step : starts.split(" ")) {
      var parts = step.split("@");
      tokens =
          tokens.after(
              Integer.parseInt(parts[0]), perMinute, T.plusSeconds(Long.parseLong(parts[1])));
    }
    assertThat(tokens.whole()).isEqualTo(left);
    assertThat(tokens.next(perMinute).at())
        .isEqualTo(nextSeconds == null ? null : T.plusSeconds(nextSeconds));
  }
}
