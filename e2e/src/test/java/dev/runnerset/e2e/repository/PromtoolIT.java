package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.CiTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prometheus' own program reads the rules, and plays them in time. */
@Tag("nightly")
final class PromtoolIT {
  private static final String CASES = "e2e/src/test/resources/alerts/";

  @TempDir Path folder;

  private void promtool(String... arguments) throws IOException, InterruptedException {
    var said = folder.resolve("said");
    var command = new ArrayList<>(List.of(CiTools.built("promtool", folder).toString()));
    command.addAll(Arrays.asList(arguments));
    var process =
        new ProcessBuilder(command)
            .directory(ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
  }

  @Test
  void eachFileOfRulesIsOne() throws IOException, InterruptedException {
    promtool(
        "check",
        "rules",
        "docs/alerts/runnerset.rules.yaml",
        "docs/alerts/incumbent.rules.yaml",
        "charts/runnerset/files/runnerset.rules.yaml");
  }

  @ParameterizedTest
  @ValueSource(strings = {"causes.test.yaml", "recorded.test.yaml", "runnerset.rules.test.yaml"})
  void theRulesFireWhenTheyShouldAndNotElse(String cases) throws IOException, InterruptedException {
    promtool("test", "rules", CASES + cases);
  }
}
