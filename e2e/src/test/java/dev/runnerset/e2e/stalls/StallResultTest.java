package dev.runnerset.e2e.stalls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** What is reported late or never, or healed by somebody, does not pass. */
final class StallResultTest {
  private static final double BAR = Stall.BAR.toSeconds();

  @Test
  void whatIsReportedAndHealedAtTheBarPasses() {
    assertThat(errors(new StallResult.Seconds(BAR, 1.0, 1.0, BAR), false)).isEmpty();
  }

  @Test
  void whatIsLateOrNeverReportedOrTouchedDoesNot() {
    assertThat(errors(new StallResult.Seconds(null, null, null, null), true)).hasSize(6);
    assertThat(errors(new StallResult.Seconds(BAR + 0.1, 1.0, 1.0, BAR + 0.1), false)).hasSize(2);
  }

  private static List<Throwable> errors(StallResult.Seconds seconds, boolean touched) {
    var softly = new SoftAssertions();
    var stall = Stalls.all().getFirst();
    var said = new StallResult.Said("", touched ? "all is well" : "Unauthorized: no token");
    new StallResult("a-warm", stall, seconds, said, List.of(), 0, touched).check(softly);
    return softly.errorsCollected();
  }
}
