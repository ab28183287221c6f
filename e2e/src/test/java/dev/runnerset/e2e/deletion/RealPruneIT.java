package dev.runnerset.e2e.deletion;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Orders of a prune on a real control plane, which checks rights and deletes namespaces. */
@Tag("nightly")
final class RealPruneIT {
  @TempDir Path folder;

  @Test
  void noOrderOfAPruneKillsAJobOrLeavesAnything() throws IOException {
    PruneScript.play(Play.realCluster(folder), folder, Prune.onRealServer());
  }
}
