package dev.runnerset.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  @Test
  void thePageSaysWhatIsCounted() throws IOException {
    var page = Path.of("..", "docs", "metrics.md");
    var wanted =
        """
        # Metrics

        At `/metrics` of `--health-port`. Every series has the labels `namespace` and `name` of the set; none has a
        runner, a job or a repository. Generated from `Meter.java`: the test that compares them writes this page when
        it is run with `-Drunnerset.write=true`.

        | metric | further labels | counts |
        |---|---|---|
        """
            + Stream.of(Meter.values())
                .map(m ->
                    "| `%s` | %s | %s |\n"
                        .formatted(m.metric(), String.join(", ", m.labels()), m.help()))
                .collect(Collectors.joining());
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(page, wanted);
    }
    assertThat(page).content().isEqualTo(wanted);
  }
}
