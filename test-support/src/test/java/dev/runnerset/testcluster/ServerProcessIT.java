package dev.runnerset.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessIT {
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir Path folder;

  @Test
  void aProcessThatEndedReportsItsCodeAndItsLastWords() throws Exception {
    ServerProcess process = start("echo some words; exit 7");
    ProcessHandle.of(process.pid()).ifPresent(p -> p.onExit().join());
    await() // the exit code is known a little later than the end
        .atMost(SOON)
        .untilAsserted(() ->
            assertThatThrownBy(process::requireAlive)
                .isInstanceOf(ClusterStartException.class)
                .hasMessageContaining("probe ended with 7")
                .hasMessageContaining("some words"));
    process.stop(SOON);
  }

  @Test
  void aTakenPortIsReportedFromOtherFailures() {
    assertThat(new ClusterStartException("listen tcp: bind: address already in use").isPortTaken())
        .isTrue();
    assertThat(new ClusterStartException("unknown flag").isPortTaken()).isFalse();
  }

  @Test
  void whatDoesNotEndWhenAskedIsKilled() throws Exception {
    ServerProcess process = start("trap '' TERM; echo ready; while :; do sleep 0.1; done");
    await().atMost(SOON).until(() -> process.logTail().contains("ready"));
    process.stop(Duration.ofMillis(200));
    assertThat(ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(folder).as("a stopped process leaves its folder alone").exists();
  }

  @Test
  void aKilledJvmLeavesNeitherProcessNorFolder() throws Exception {
    Path workspace = Files.createDirectory(folder.resolve("workspace"));
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                StartsAndWaits.class.getName(),
                workspace.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = jvm.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      assertThat(child.isAlive()).isTrue();
      jvm.destroyForcibly().waitFor();
      await().atMost(SOON).until(() -> !child.isAlive() && Files.notExists(workspace));
    } finally {
      jvm.destroyForcibly();
    }
  }

  /** What the killed JVM runs. */
  static final class StartsAndWaits {
    private StartsAndWaits() {}

    public static void main(String[] arguments) throws Exception {
      Workspace workspace = new Workspace(Path.of(arguments[0]));
      System.out.println(ServerProcess.start("probe", List.of("sleep", "300"), workspace).pid());
      TimeUnit.MINUTES.sleep(5);
    }
  }

  private ServerProcess start(String script) throws IOException {
    return ServerProcess.start("probe", List.of("sh", "-c", script), new Workspace(folder));
  }
}
