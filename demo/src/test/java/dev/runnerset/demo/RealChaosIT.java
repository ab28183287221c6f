package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every fault of the scenario {@code chaos}, once, on a real control plane. */
final class RealChaosIT {
  @TempDir Path folder;

  @BeforeAll
  static void needsTheRealServer() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
  }

  /** A share for each change; all faults come each night. */
  @Test
  void killedProgramsAndACutConnectionLoseNothing() throws IOException {
    var faults = List.of("controller-killed", "listener-killed", "api-resets");
    var report = Rehearsals.chaos(new ChaosOptions(1, 1, faults), folder);

    var found = (Findings.Chaos) report.figures().extra().findings();
    assertThat(found.faults()).extracting(Findings.UnderFault::fault).containsAll(faults);
  }

  @Test
  @Tag("nightly")
  void nothingIsLostAndAllThatIsSaidIsTrueWhateverFails() throws IOException {
    var report = Rehearsals.run(Scenario.CHAOS, 0, 0, true, folder);

    var found = (Findings.Chaos) report.figures().extra().findings();
    assertThat(found.leftOut())
        .as("seed %d: faults that a real control plane makes superfluous", found.seed())
        .containsExactly("api-refused");
    var expected = new ArrayList<>(ChaosFaults.all().stream().map(ChaosFault::id).toList());
    expected.removeAll(found.leftOut());
    expected.add(ChaosFaults.NOTHING_AT_ALL.id());
    assertThat(found.faults())
        .extracting(Findings.UnderFault::fault)
        .as("seed %d: faults that came", found.seed())
        .containsExactlyInAnyOrderElementsOf(expected);
  }
}
