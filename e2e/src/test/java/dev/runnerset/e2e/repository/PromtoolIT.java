package dev.runnerset.e2e.repository;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Prometheus' own program plays the rules for alerts in time, where it is on the PATH (row 14). */
final class PromtoolIT {
  @Test
  void theRulesFireWhenTheyShouldAndNotElse() throws IOException, InterruptedException {
    var promtool =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "promtool"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(promtool.isPresent(), "no promtool on the PATH");
    var cases = "e2e/src/test/resources/alerts/runnerset.rules.test.yaml";
    var process =
        new ProcessBuilder(promtool.orElseThrow().toString(), "test", "rules", cases)
            .directory(RepositoryFiles.ROOT.toFile())
            .redirectErrorStream(true)
            .start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }
}
