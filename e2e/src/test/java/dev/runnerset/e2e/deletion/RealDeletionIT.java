package dev.runnerset.e2e.deletion;

import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletions on a real control plane. */
final class RealDeletionIT {
  @TempDir Path folder;

  /** A share for each change; all deletions come each night. */
  @Test
  void everyEighthDeletionKillsNoJobAndLeavesNothing() throws IOException {
    var all = Deletions.all(true);
    var share = IntStream.range(0, all.size()).filter(i -> i % 8 == 5).mapToObj(all::get).toList();
    DeletionsScript.play(Play.realCluster(folder), folder, share);
  }

  @Test
  @Tag("nightly")
  void deletionsKillNoJobLeaveNothingAndSayWhatTheyWaitFor() throws IOException {
    DeletionsScript.play(Play.realCluster(folder), folder, Deletions.all(true));
  }
}
