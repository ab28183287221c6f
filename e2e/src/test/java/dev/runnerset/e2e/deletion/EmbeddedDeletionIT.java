package dev.runnerset.e2e.deletion;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The deletions that the in-process API server can do. */
@Tag("nightly")
final class EmbeddedDeletionIT {
  @TempDir Path folder;

  @Test
  void deletionsKillNoJobLeaveNothingAndSayWhatTheyWaitFor() throws IOException {
    DeletionsScript.play(Play.embeddedCluster(folder), folder, Deletions.all(false));
  }
}
