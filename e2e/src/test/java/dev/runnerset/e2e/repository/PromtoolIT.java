package dev.runnerset.e2e.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus' own program plays the rules for alerts in time, where it is on the PATH. */
final class PromtoolIT {
  private static final String CASES = "e2e/src/test/resources/alerts/runnerset.rules.test.yaml";

  @Test
  void theRulesFireWhenTheyShouldAndNotElse(@TempDir Path folder)
      throws IOException, InterruptedException {
    var said = folder.resolve("said");
    var promtool =
        new ProcessBuilder("promtool", "test", "rules", CASES)
            .directory(RepositoryFiles.ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    Process process;
    try {
      process = promtool.start();
    } catch (IOException e) {
      Assumptions.abort("no promtool on the PATH");
      return;
    }
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
  }
}
