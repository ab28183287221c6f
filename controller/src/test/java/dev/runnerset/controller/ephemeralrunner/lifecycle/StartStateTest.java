package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a start that failed is tried again (RN13). */
final class StartStateTest {
  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the first time after 5 s,                              1, ,      PT5S",
    "later after 10 s,                                      2, ,      PT10S",
    "never after more,                                      9, ,      PT10S",
    "just after the wait that the service asked for,        1, PT2S,  PT2.2S",
    "and not a moment before it is over,                    2, PT10S, PT10.2S",
    "a long wait is looked at again: it may be over sooner, 2, PT60S, PT10S",
  })
  void isTriedAgain(String name, int failures, @Nullable Duration asked, Duration wait) {
    var state = StartState.NEW;
    for (int i = 0; i < failures; i++) {
      var problem =
          new StartProblem(ConditionType.REGISTRATION_MADE, AccessReason.RATE_LIMITED, "m", T0);
      state = state.failed(problem, asked);
    }
    assertThat(state.notBefore()).as(name).isEqualTo(T0.plus(wait));
  }
}
