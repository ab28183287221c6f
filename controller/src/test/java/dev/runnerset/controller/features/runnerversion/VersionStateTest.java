package dev.runnerset.controller.features.runnerversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Now;
import dev.runnerset.crds.RunnerVersionStatus;
import dev.runnerset.crds.RunnerVersionStatus.From;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RN21: the version is read once a revision, once a day, and for a new image. */
final class VersionStateTest {
  private static final Instant T0 = Instant.parse("2026-11-20T12:00:00Z");

  private static RunnerVersionStatus read(Instant at, String revision, @Nullable String image) {
    return new RunnerVersionStatus("2.338.1", From.RUNNER, null, null, at, revision, image);
  }

  private static boolean isDue(VersionState state, String revision, String image, Instant at) {
    var now = new Now(at);
    return state.mayBeDue(revision, now) && state.isDue(revision, image, now);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "nothing is known,            ,         r1, a, true",
    "just read,                   PT1M,     r1, a, false",
    "almost a day,                PT23H59M, r1, a, false",
    "a day,                       PT24H,    r1, a, true",
    "another revision,            PT1M,     r2, a, true",
    "another image,               PT59M,    r1, b, false",
    "another image an hour later, PT1H,     r1, b, true",
    "a clock that was put back,   PT-24H,   r1, a, false"
  })
  void aRestartReadsOnlyWhatIsDue(
      String row, @Nullable Duration age, String revision, String image, boolean due) {
    var written = age == null ? null : read(T0.minus(age), "r1", "a");
    assertThat(isDue(VersionState.of(written), revision, image, T0)).as(row).isEqualTo(due);
  }

  @Test
  void anImageThatChangesAllTheTimeIsReadOnceAnHour() {
    var state = VersionState.of(null);
    int readings = 0;
    for (int minute = 0; minute < 24 * 60 - 1; minute++) {
      var now = T0.plus(Duration.ofMinutes(minute));
      if (isDue(state, "r1", "image-" + minute, now)) {
        readings++;
        state = state.begun(now).ended(read(now, "r1", "image-" + minute), false, now);
      }
    }
    assertThat(readings).isEqualTo(24);
  }

  @Test
  void aNewRevisionIsReadAtOnceAfterTheReadingOfTheFormerOne() {
    var state = VersionState.of(null).begun(T0).ended(read(T0, "r1", "a"), false, T0);
    assertThat(isDue(state, "r2", "a", T0.plusSeconds(1))).isTrue();
  }

  @Test
  void aReadingThatFailsIsRepeatedLaterAndLater() {
    var state = VersionState.of(null);
    int readings = 0;
    for (int minute = 0; minute < 24 * 60; minute++) {
      var now = T0.plus(Duration.ofMinutes(minute));
      if (isDue(state, "r1", "a", now)) {
        readings++;
        state = state.begun(now).ended(null, true, now);
      }
    }
    assertThat(readings).as("10, 20, 40, 80, 160, 320, 360 min apart").isEqualTo(9);
  }

  @Test
  void nothingIsReadWhileAReadingIsUnderWay() {
    assertThat(isDue(VersionState.of(null).begun(T0), "r1", "a", T0.plusSeconds(3600))).isFalse();
  }

  @Test
  void anImageIsComparedOnceAMinute() {
    var state = VersionState.of(read(T0, "r1", "a")).compared(T0);
    assertThat(state.mayBeDue("r1", new Now(T0.plusSeconds(59)))).isFalse();
    assertThat(state.mayBeDue("r1", new Now(T0.plusSeconds(60)))).isTrue();
  }
}
