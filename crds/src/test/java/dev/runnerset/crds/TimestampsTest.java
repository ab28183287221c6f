package dev.runnerset.crds;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The usual form is read as the library reads it, and so is each other text. */
final class TimestampsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-24T09:30:05Z", // as in metadata
        "2024-02-29T23:59:59Z", // a leap day
        "2023-02-29T23:59:59Z", // none
        "2026-13-01T00:00:00Z",
        "2026-11-31T00:00:00Z",
        "2026-11-24T24:00:00Z",
        "2026-11-24T09:60:00Z",
        "2026-12-31T23:59:60Z", // a leap second
        "0000-01-01T00:00:00Z",
        "2026-11-24T09:30:05.123456Z", // a MicroTime
        "2026-11-24T09:30:05+01:00",
        "2026-11-24T09:30Z",
        "2026-11-24 09:30:05Z",
        "2026/11/24T09:30:05Z",
        "2026-11-24T09:30:0xZ",
        "+026-11-24T09:30:05Z",
        "2026-11-24T09:30:05z",
        "٢٠٢٦-11-24T09:30:05Z", // digits of another script
        "yesterday",
        ""
      })
  void aTextIsReadAsTheLibraryReadsIt(String written) {
    assertThat(Timestamps.parse(written)).isEqualTo(byTheLibrary(written));
  }

  @Test
  void whatIsAbsentIsNoTime() {
    assertThat(Timestamps.parse(null)).isNull();
  }

  private static @Nullable Instant byTheLibrary(String written) {
    try {
      return OffsetDateTime.parse(written).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
