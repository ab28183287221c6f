package dev.runnerset.e2e.upgrade;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions that work together on the in-process API server. */
@Tag("nightly")
final class EmbeddedUpgradeIT {
  @TempDir Path folder;

  @Test
  void versionsWorkTogetherAndNoJobIsLost() throws IOException {
    UpgradeScript.play(Play.embeddedCluster(folder), folder, UpgradeScript.Way.FORTH_AND_BACK);
  }
}
