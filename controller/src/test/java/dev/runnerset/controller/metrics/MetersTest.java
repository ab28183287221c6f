package dev.runnerset.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MetersTest {
  private final Meters meters = new Meters();

  @Test
  void aSeriesIsShownWithZeroAndCounts() {
    meters.register(Meter.SCALE_DOWN_REQUESTS, "team", "linux", "busy");
    assertThat(meters.exposition())
        .contains(
            "runnerset_scale_down_requests_total{name=\"linux\",namespace=\"team\",result=\"busy\"}"
                + " 0.0");

    meters.count(Meter.SCALE_DOWN_REQUESTS, "team", "linux", "busy");

    assertThat(meters.value(Meter.SCALE_DOWN_REQUESTS, "team", "linux", "busy")).isEqualTo(1);
    assertThat(meters.exposition()).contains("result=\"busy\"} 1.0");
  }

  @Test
  void aSetThatIsGoneHasNoSeriesAndOthersKeepTheirs() {
    meters.count(Meter.SCALE_DOWN_REQUESTS, "team", "linux", "busy");
    meters.count(Meter.SCALE_DOWN_REQUESTS, "team", "arm", "busy");

    meters.forget("team", "linux");

    assertThat(meters.exposition()).contains("name=\"arm\"").doesNotContain("name=\"linux\"");
  }

  @Test
  void aWrongNumberOfLabelsIsABugThatShows() {
    assertThatThrownBy(() -> meters.count(Meter.SCALE_DOWN_REQUESTS, "team", "linux"))
        .hasMessageContaining("result");
  }
}
