package dev.runnerset.controller.passes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that come close together share a pass. */
final class PassPaceTest {
  private static final Duration NONE = Duration.ZERO;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 30_000_000); // it overflows
  private final PassPace pace = new PassPace(nanos::get);
  private final PassPace.LastPass set = pace.initState();

  private Duration waits(PassPace.LastPass object) {
    return pace.isLimited(object).orElse(NONE);
  }

  @ParameterizedTest
  @CsvSource({"0, 50", "1, 49", "49, 1", "50, 0", "51, 0", "100000, 0"})
  void aPassBeginsSoLongAfterTheOneBefore(long millisLater, long waitsForMillis) {
    assertThat(waits(set)).as("the first one").isEqualTo(NONE);
    nanos.addAndGet(millisLater * 1_000_000);
    assertThat(waits(set)).isEqualTo(Duration.ofMillis(waitsForMillis));
    assertThat(waits(pace.initState())).as("another object").isEqualTo(NONE);
  }

  @ParameterizedTest
  @CsvSource({"20, 30", "49, 1"})
  void whoHasToWaitPutsNothingOff(long asksAfterMillis, long waitsForMillis) {
    assertThat(waits(set)).isEqualTo(NONE);
    nanos.addAndGet(asksAfterMillis * 1_000_000);
    assertThat(waits(set)).isEqualTo(Duration.ofMillis(waitsForMillis));
    nanos.addAndGet(waitsForMillis * 1_000_000);
    assertThat(waits(set)).isEqualTo(NONE);
    assertThat(waits(set)).as("from there on").isEqualTo(PassPace.APART);
  }
}
