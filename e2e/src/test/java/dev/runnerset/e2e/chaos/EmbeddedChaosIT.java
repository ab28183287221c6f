package dev.runnerset.e2e.chaos;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The faults that the in-process API server can have. */
@Tag("nightly")
final class EmbeddedChaosIT {
  @TempDir Path folder;

  @Test
  void nothingIsLostAndAllThatIsSaidIsTrueWhateverFails() throws IOException {
    ChaosScript.play(Play.embeddedCluster(folder), folder, ChaosOptions.ofProperties());
  }
}
