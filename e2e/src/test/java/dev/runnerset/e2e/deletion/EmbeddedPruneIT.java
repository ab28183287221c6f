package dev.runnerset.e2e.deletion;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Orders of a prune on the in-process API server, which checks no rights. */
final class EmbeddedPruneIT {
  @TempDir Path folder;

  @Test
  void noOrderOfAPruneKillsAJobOrLeavesAnything() throws IOException {
    PruneScript.play(Play.embeddedCluster(folder), folder, Prune.all());
  }
}
