package dev.runnerset.deployment.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

final class RestartBackoffTest {
  private static final Duration SHORT = Duration.ofSeconds(3);

  @Test
  void theFirstRestartComesAtOnceAndEachFurtherWaitIsTwiceAsLongUpToFiveMinutes() {
    var waits = new ArrayList<Long>();
    var backoff = RestartBackoff.none();
    for (int end = 0; end < 8; end++) {
      backoff = backoff.after(SHORT);
      waits.add(backoff.pause().toSeconds());
    }
    assertThat(waits).containsExactly(0L, 10L, 20L, 40L, 80L, 160L, 300L, 300L);
  }

  @Test
  void aRunOfTenMinutesBeginsAnew() {
    var often = RestartBackoff.none().after(SHORT).after(SHORT).after(SHORT);
    assertThat(often.after(Duration.ofMinutes(10)).pause()).isZero();
    assertThat(often.after(Duration.ofSeconds(599)).pause()).isEqualTo(Duration.ofSeconds(40));
  }
}
