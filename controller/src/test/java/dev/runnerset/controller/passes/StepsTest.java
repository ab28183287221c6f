package dev.runnerset.controller.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.base.RequeueTime;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A step of a pass that fails stops no other one (WR3). */
final class StepsTest {
  private static final Instant DUE = Instant.parse("2026-11-24T12:00:00Z");

  private final Steps steps = new Steps();
  private final List<String> taken = new ArrayList<>();

  /** A step that a bug stops, or an answer with that code: 0 is none. */
  private boolean step(String name, String failure) {
    return steps.take(() -> {
      taken.add(name);
      switch (failure) {
        case "" -> {}
        case "bug" -> throw new IllegalStateException(name);
        default -> throw new KubernetesClientException(name, Integer.parseInt(failure), null);
      }
    });
  }

  @ParameterizedTest(name = "WR3 the first step ends with ''{0}'': the second one is taken: {1}")
  @CsvSource({"'', true", "bug, true", "403, true", "409, true", "500, true", "0, false"})
  void aFailedStepStopsNoOtherUnlessNothingAnswers(String failure, boolean second) {
    assertThat(step("first", failure)).isEqualTo(failure.isEmpty());
    assertThat(step("second", "")).isEqualTo(second);
    assertThat(taken.contains("second")).isEqualTo(second);
  }

  @Test
  void theEndThrowsTheFirstFailureWithTheOthers() {
    step("first", "bug");
    step("second", "403");
    assertThatThrownBy(steps::end)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("first")
        .satisfies(first ->
            assertThat(first.getSuppressed())
                .singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("second"));
    assertThat(steps.failures()).hasSize(2);
  }

  @Test
  void withoutAFailureTheEndThrowsNothing() {
    step("only", "");
    assertThatCode(steps::end).doesNotThrowAnyException();
  }

  @Test
  void aStepThatFailsDoesNotSayWhenTheNextPassIsDue() {
    assertThat(steps.requeue(() -> RequeueTime.at(DUE)).toOptional()).contains(DUE);
    var failed =
        steps.requeue(() -> {
          throw new IllegalStateException("bug");
        });
    assertThat(failed.toOptional()).isEmpty();
  }
}
