package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What helm makes of {@code charts/runnerset}, without a cluster. */
final class SystemChartIT {
  private static final Path CHART = Repository.chart("runnerset");

  @TempDir private static Path home;

  @Test
  void helmFindsNothingToComplainAbout() {
    assertThat(Helm.offline(home).run("lint", "--strict", CHART.toString()).orFail().out())
        .contains("1 chart(s) linted, 0 chart(s) failed");
  }

  @Test
  void theDefaultsMakeBothProgramsWithTheirIdentities() {
    assertThat(Helm.offline(home).template(CHART))
        .extracting(o -> o.getKind() + " " + o.getMetadata().getName())
        .contains(
            "Deployment runnerset-controller",
            "Deployment runnerset-listener",
            "ServiceAccount runnerset-controller",
            "ServiceAccount runnerset-listener",
            "Namespace runnerset-listener",
            "CustomResourceDefinition autoscalingrunnersets.runnerset.dev");
  }
}
