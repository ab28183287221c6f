package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When the id of a scale set may be somebody else's, and when that is over (NM6). */
class ScaleSetDoubtsTest {
  private static final Instant T0 = Instant.parse("2026-11-27T08:00:00Z");
  private static final ScaleSetId OURS = new ScaleSetId(1);
  private static final ScaleSetId THEIRS = new ScaleSetId(2);
  private static final ServiceError SILENCE =
      new ServiceError.Unavailable(new ServiceError.Details("x", 0, "", "", "", ""), null);

  private final ScaleSetDoubts doubts = new ScaleSetDoubts();

  @Test
  void aLostSessionIsADoubtUntilALaterCallKnowsTheScaleSet() {
    doubts.proved(OURS, T0);
    doubts.doubted(OURS, T0.plusSeconds(5));
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(6))).isTrue();
    doubts.proved(OURS, T0.plusSeconds(4)); // it was sent before the session was lost
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(6))).isTrue();
    doubts.proved(OURS, T0.plusSeconds(6));
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(7))).isFalse();
    doubts.doubted(OURS, T0.plusSeconds(5)); // the same loss, reported again
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(7))).isFalse();
    assertThat(doubts.isDoubted(THEIRS, T0)).isFalse();
  }

  @Test
  void aLongOutageIsADoubtOfAllAndAShortOneOfNone() {
    doubts.called(SILENCE, T0);
    doubts.called(null, T0.plusSeconds(29));
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(29))).isFalse();
    doubts.called(SILENCE, T0.plusSeconds(60));
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(89))).isFalse();
    assertThat(doubts.isDoubted(OURS, T0.plus(Duration.ofHours(1)))).isTrue();
    assertThat(doubts.isDoubted(THEIRS, T0.plus(Duration.ofHours(1)))).isTrue();

    doubts.called(null, T0.plus(Duration.ofHours(1))); // of any other call
    assertThat(doubts.isDoubted(OURS, T0.plus(Duration.ofHours(1)))).isTrue();
    doubts.proved(OURS, T0.plus(Duration.ofHours(1)));
    assertThat(doubts.isDoubted(OURS, T0.plus(Duration.ofHours(2)))).isFalse();
    assertThat(doubts.isDoubted(THEIRS, T0.plus(Duration.ofHours(2)))).isTrue();
  }

  /** Else nothing would be registered until that time comes again. */
  @Test
  void aDoubtOfBeforeTheClockWasPutBackEndsWithTheNextCallThatKnowsTheScaleSet() {
    doubts.doubted(OURS, T0.plus(Duration.ofHours(1)));
    assertThat(doubts.isDoubted(OURS, T0)).isTrue();
    doubts.proved(OURS, T0.plusSeconds(1));
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(2))).isFalse();
  }

  @Test
  void aProofOfBeforeTheClockWasPutBackHidesNoDoubt() {
    doubts.proved(OURS, T0.plus(Duration.ofHours(1)));
    assertThat(doubts.isDoubted(OURS, T0)).isFalse();
    doubts.doubted(OURS, T0.plusSeconds(1));
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(2))).isTrue();
  }

  @Test
  void anOutageOfBeforeTheClockWasPutBackIsOne() {
    doubts.called(SILENCE, T0.plus(Duration.ofHours(1)));
    assertThat(doubts.isDoubted(OURS, T0)).isFalse();
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(30))).isTrue();
    doubts.called(null, T0.plusSeconds(31));
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(31))).isTrue();
    doubts.proved(OURS, T0.plusSeconds(31));
    assertThat(doubts.isDoubted(OURS, T0.plusSeconds(32))).isFalse();
  }
}
