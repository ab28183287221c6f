package dev.runnerset.e2e.drain;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drains on a real control plane. */
final class RealDrainIT {
  @TempDir Path folder;

  @Test
  void drainsCompleteAndEndNoJob() throws IOException {
    DrainScript.play(Play.realCluster(folder), folder);
  }
}
