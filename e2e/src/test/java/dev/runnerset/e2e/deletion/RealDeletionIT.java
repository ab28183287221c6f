package dev.runnerset.e2e.deletion;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every deletion on a real control plane. */
@Tag("nightly")
final class RealDeletionIT {
  @TempDir Path folder;

  @Test
  void deletionsKillNoJobLeaveNothingAndSayWhatTheyWaitFor() throws IOException {
    DeletionsScript.play(Play.realCluster(folder), folder, Deletions.all(true));
  }
}
