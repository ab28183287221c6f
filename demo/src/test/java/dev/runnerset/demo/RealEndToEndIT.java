package dev.runnerset.demo;

import dev.runnerset.demo.scenario.Scenario;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole product on a real control plane, both programs as the service accounts they will be.
 */
final class RealEndToEndIT {
  @TempDir Path folder;

  @BeforeAll
  static void needsTheRealServer() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
  }

  @Test
  void scalesFromZeroToFiftyAndBackWithBusyOnesInBetween() throws IOException {
    Rehearsals.run(Scenario.DEFAULT, 50, 50, true, folder);
  }

  @Test
  void losesNothingWhenTheListenerIsKilled() throws IOException {
    Rehearsals.run(Scenario.LISTENER_RESTART, 40, 20, true, folder);
  }

  @Test
  void losesNothingWhenTheControllerIsKilled() throws IOException {
    Rehearsals.run(Scenario.CONTROLLER_RESTART, 40, 20, true, folder);
  }

  @Test
  void runsJobsWithoutAClusterRole() throws IOException {
    Rehearsals.run(Scenario.SINGLE_NAMESPACE, 0, 0, true, folder);
  }

  @Test
  @Tag("nightly")
  void acquiresWhatAnEnterpriseServerOffers() throws IOException {
    Rehearsals.run(Scenario.LEGACY, 0, 0, true, folder);
  }

  @Test
  @Tag("nightly")
  void asksInVainWithinBoundsWhenMarksAreLost() throws IOException {
    Rehearsals.run(Scenario.LOST_MARKS, 0, 0, true, folder);
  }

  @Test
  @Tag("nightly")
  void collectsIdleRunnersForTheirAgeAndReplacesThem() throws IOException {
    Rehearsals.run(Scenario.IDLE_AGE, 0, 0, true, folder);
  }

  @Test
  @Tag("nightly")
  void namesTheRunnersThereAreInWhateverForm() throws IOException {
    Rehearsals.run(Scenario.REFERENCES, 0, 0, true, folder);
  }

  @Test
  @Tag("nightly")
  void finishedRunnersAreKeptAndGoByTheirRules() throws IOException {
    Rehearsals.run(Scenario.RETENTION, 0, 0, true, folder);
  }

  @Test
  @Tag("nightly")
  void replacesIdleRunnersOnlyAndWritesTheHistory() throws IOException {
    Rehearsals.run(Scenario.HISTORY, 0, 0, true, folder);
  }
}
