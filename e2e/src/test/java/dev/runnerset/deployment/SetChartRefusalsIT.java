package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that {@code charts/runnerset-set} refuses, and what it says. */
final class SetChartRefusalsIT {
  private static final String GOOD =
      "githubConfigUrl: https://github.com/my-org\ngithubConfigSecret: github\n";

  @TempDir private static Path home;

  /** The text of a values file, behind the good ones or alone, and a part of the answer. */
  record Row(String values, boolean good, String says) {}

  static List<Row> rows() {
    return List.of(
        Serialization.unmarshal(
            RepositoryFiles.resource("deployment/set-chart-refusals.yaml"), Row[].class));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void whatIsRefused(Row row) throws IOException {
    var text = row.good() ? GOOD + row.values() : row.values();
    var values = Files.writeString(Files.createTempFile(home, "refused", ".values.yaml"), text);
    var answer =
        SetChart.runWith(
            home, values, "template", "linux", SetChart.FOLDER, "--namespace", "teams");
    assertThat(answer.exit()).as(text).isNotZero();
    assertThat(answer.err()).as(text).contains(row.says());
  }
}
