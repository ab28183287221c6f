package dev.runnerset.demo;

import dev.runnerset.demo.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole product against the in-process API server: the default for each change, the others each
 * night; {@code idle}, over a minute of nothing, is left to whoever rehearses it.
 */
final class EmbeddedEndToEndIT {
  @TempDir Path folder;

  @Test
  void scalesFromZeroToFiftyAndBackWithBusyOnesInBetween() throws IOException {
    Rehearsals.run(Scenario.DEFAULT, 50, 50, false, folder);
  }

  @Test
  void acquiresWhatAnEnterpriseServerOffers() throws IOException {
    Rehearsals.run(Scenario.LEGACY, 30, 12, false, folder);
  }

  @Test
  @Tag("nightly")
  void oneSetDoesNotWaitBehindTheBurstOfAnother() throws IOException {
    Rehearsals.run(Scenario.SHARED_CREDENTIAL, 0, 0, false, folder);
  }

  @Test
  @Tag("nightly")
  void losesNothingWhateverIsWrongWithTheService() throws IOException {
    Rehearsals.run(Scenario.SERVICE_FAULTS, 0, 0, false, folder);
  }

  @Test
  @Tag("nightly")
  void losesNothingWhenTheListenerIsKilled() throws IOException {
    Rehearsals.run(Scenario.LISTENER_RESTART, 40, 20, false, folder);
  }

  @Test
  @Tag("nightly")
  void losesNothingWhenTheControllerIsKilled() throws IOException {
    Rehearsals.run(Scenario.CONTROLLER_RESTART, 40, 20, false, folder);
  }

  @Test
  @Tag("nightly")
  void asksInVainWithinBoundsWhenMarksAreLost() throws IOException {
    Rehearsals.run(Scenario.LOST_MARKS, 0, 0, false, folder);
  }

  @Test
  @Tag("nightly")
  void collectsIdleRunnersForTheirAgeAndReplacesThem() throws IOException {
    Rehearsals.run(Scenario.IDLE_AGE, 0, 0, false, folder);
  }

  @Test
  @Tag("nightly")
  void namesTheRunnersThereAreInWhateverForm() throws IOException {
    Rehearsals.run(Scenario.REFERENCES, 0, 0, false, folder);
  }

  @Test
  @Tag("nightly")
  void finishedRunnersAreKeptAndGoByTheirRules() throws IOException {
    Rehearsals.run(Scenario.RETENTION, 0, 0, false, folder);
  }

  @Test
  @Tag("nightly")
  void replacesIdleRunnersOnlyAndWritesTheHistory() throws IOException {
    Rehearsals.run(Scenario.HISTORY, 0, 0, false, folder);
  }

  /** RN21. */
  @Test
  @Tag("nightly")
  void theVersionOfRunnersIsReportedUntilTheImageIsNewer() throws IOException {
    Rehearsals.run(Scenario.RUNNER_VERSION, 0, 0, false, folder);
  }

  /** RN18. */
  @Test
  @Tag("nightly")
  void theJobsOfANodeThatDiesAreReported() throws IOException {
    Rehearsals.run(Scenario.NODE_LOST, 0, 0, false, folder);
  }

  /** RR1 to RR6. */
  @Test
  @Tag("nightly")
  void lostJobsRunAgain() throws IOException {
    Rehearsals.run(Scenario.RERUN, 0, 0, false, folder);
  }

  /** DM12, DM13. */
  @Test
  @Tag("nightly")
  void aSetTakesNoMoreJobsThanItsQuotaHasRoomFor() throws IOException {
    Rehearsals.run(Scenario.QUOTA, 0, 0, false, folder);
  }

  /** DM15. */
  @Test
  @Tag("nightly")
  void fullNodesCostOneJitConfigInEachWindow() throws IOException {
    Rehearsals.run(Scenario.PLACEMENT, 0, 0, false, folder);
  }

  /** DM15. */
  @Test
  @Tag("nightly")
  void jobsGoToAnotherSetWhileTheNodesAreFull() throws IOException {
    Rehearsals.run(Scenario.FAILOVER, 0, 0, false, folder);
  }

  @Test
  @Tag("nightly")
  void limitsFollowTheSchedule() throws IOException {
    Rehearsals.run(Scenario.SCHEDULE, 0, 0, false, folder);
  }
}
