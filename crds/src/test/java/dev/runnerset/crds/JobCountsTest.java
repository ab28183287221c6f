package dev.runnerset.crds;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DM6: since when jobs wait. */
final class JobCountsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          nothing was known            | -1 | -                    | 3 | 2026-11-29T12:00:00Z | 2026-11-29T12:00:00Z
          none waited                  | 0  | -                    | 3 | 2026-11-29T12:00:00Z | 2026-11-29T12:00:00Z
          others waited                | 9  | 2026-11-29T11:00:00Z | 3 | 2026-11-29T12:00:00Z | 2026-11-29T11:00:00Z
          somebody removed the time    | 9  | -                    | 3 | 2026-11-29T12:00:00Z | 2026-11-29T12:00:00Z
          none waits any more          | 9  | 2026-11-29T11:00:00Z | 0 | 2026-11-29T12:00:00Z | -
          nobody knows when            | 0  | -                    | 3 | -                    | -
          """)
  void waitingSince(
      String situation,
      int before,
      @Nullable Instant since,
      int waiting,
      @Nullable Instant observedAt,
      @Nullable Instant expected) {
    var known = before < 0 ? null : new JobCounts(before, 0, before, since);
    assertThat(JobCounts.of(waiting, 0, 0).after(known, observedAt).waitingSince())
        .isEqualTo(expected);
  }
}
