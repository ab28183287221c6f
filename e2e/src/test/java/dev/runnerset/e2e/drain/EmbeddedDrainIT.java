package dev.runnerset.e2e.drain;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drains on the in-process API server. */
@Tag("nightly")
final class EmbeddedDrainIT {
  @TempDir Path folder;

  @Test
  void drainsCompleteAndEndNoJob() throws IOException {
    DrainScript.play(Play.embeddedCluster(folder), folder);
  }
}
