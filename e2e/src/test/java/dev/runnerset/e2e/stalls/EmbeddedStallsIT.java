package dev.runnerset.e2e.stalls;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The causes that any API server can bring about, and that do not take long. */
@Tag("nightly")
final class EmbeddedStallsIT {
  @TempDir Path folder;

  @Test
  void setsThatStallSayWhyAndGoOnAfterTheRepair() throws IOException {
    Play.run(
        Play.embeddedCluster(folder),
        Play.SETTING,
        folder,
        (world, progress) ->
            new StallsScript(world, progress)
                .run(Stalls.newInProcess(), Stalls.warmInProcess())
                .check());
  }
}
