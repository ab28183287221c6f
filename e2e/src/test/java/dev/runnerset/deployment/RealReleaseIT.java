package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.deployment.node.ProcessNode;
import dev.runnerset.testcluster.HelmProgram;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A user who has kubectl and helm installs a release from a registry: the charts come from there,
 * and the node pulls the images by the digests that the charts name. The figure is the time from
 * the first of four commands to the first idle runner.
 */
@Tag("nightly")
final class RealReleaseIT {
  /** The aim is 60 s on a quiet machine; a loaded one gets twice that. */
  private static final Duration FIRST_RUNNER = Duration.ofSeconds(120);

  @TempDir private static Path folder;
  private static RehearsedRelease release;

  @BeforeAll
  static void publish() throws IOException {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    HelmProgram.unavailableReason().ifPresent(Assumptions::abort);
    ProcessNode.unavailableReason().ifPresent(Assumptions::abort);
    release = new RehearsedRelease(folder.resolve("release"));
  }

  @AfterAll
  static void end() throws IOException {
    if (release != null) {
      release.close();
    }
  }

  @ParameterizedTest(name = "helm {0}")
  @ValueSource(ints = {3, 4})
  void fourCommandsLeadToARunner(int helm) throws IOException {
    var program = helm == 3 ? HelmProgram.path() : RehearsedRelease.tool("helm");
    try (var deployed =
        new Deployed(Files.createDirectory(folder.resolve("helm" + helm)), release::image)) {
      var begin = deployed.now();
      deployed.installRelease(program, release.charts(), release.version());
      deployed.await("a runner is idle", FIRST_RUNNER, () -> deployed.idle() > 0);
      System.out.printf(
          "helm %d, four commands to the first idle runner: %d ms%n",
          helm, Duration.between(begin, deployed.now()).toMillis());
      deployed.awaitSetReady();
      for (var part : Deployed.Part.values()) {
        assertThat(deployed.pods(part))
            .isNotEmpty()
            .allSatisfy(pod ->
                assertThat(pod.getSpec().getContainers().getFirst().getImage())
                    .matches("127\\.0\\.0\\.1:\\d+/owner/runnerset/\\w+@sha256:[0-9a-f]{64}"));
      }
    }
  }
}
