package dev.runnerset.e2e.chaos;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults on a real control plane. */
final class RealChaosIT {
  @TempDir Path folder;

  /** A share for each change; all faults come each night. */
  @Test
  void killedProgramsAndACutConnectionLoseNothing() throws IOException {
    var faults = List.of("controller-killed", "listener-killed", "api-resets");
    ChaosScript.play(Play.realCluster(folder), folder, new ChaosOptions(1, 1, faults));
  }

  @Test
  @Tag("nightly")
  void nothingIsLostAndAllThatIsSaidIsTrueWhateverFails() throws IOException {
    ChaosScript.play(Play.realCluster(folder), folder, ChaosOptions.ofProperties());
  }
}
