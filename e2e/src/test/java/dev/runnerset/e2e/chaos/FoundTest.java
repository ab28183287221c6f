package dev.runnerset.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A fault that is not reported, reported late, never over or reported untruly does not pass. */
final class FoundTest {
  private static final ChaosFault QUIET =
      ChaosFault.of("quiet", ChaosFault.Hits.ONE_SET, 1, place -> {}, place -> {});
  private static final ChaosFault REPORTED = QUIET.reported("why");

  @Test
  void whatIsReportedAndOverAtTheBarsPasses() {
    assertThat(errors(REPORTED, 30.0, 60.0)).isEmpty();
    assertThat(errors(QUIET, null, 60.0)).isEmpty();
  }

  @Test
  void whatIsLateOrNeverReportedOrOverDoesNot() {
    assertThat(errors(REPORTED, 30.1, 60.1)).hasSize(2);
    assertThat(errors(REPORTED, null, null)).hasSize(2);
    assertThat(errors(QUIET, null, 1.0, "not so")).hasSize(1);
  }

  private static List<Throwable> errors(
      ChaosFault fault, @Nullable Double reported, @Nullable Double well, String... untrue) {
    var softly = new SoftAssertions();
    var seconds = new Found.Seconds(1.0, reported, well, 0, 0, 0);
    new Found(fault, seconds, "why", List.of(untrue), 1, 0).check(softly);
    return softly.errorsCollected();
  }
}
