package dev.runnerset.e2e.upgrade;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions that work together on a real control plane. */
final class RealUpgradeIT {
  @TempDir Path folder;

  /** A share for each change; the way back comes each night, from the version before. */
  @Test
  void anUpgradeLosesNoJob() throws IOException {
    UpgradeScript.play(Play.realCluster(folder), folder, UpgradeScript.Way.FORTH);
  }

  @Test
  @Tag("nightly")
  void versionsWorkTogetherAndNoJobIsLost() throws IOException {
    UpgradeScript.play(Play.realCluster(folder), folder, UpgradeScript.Way.FORTH_AND_BACK);
  }
}
