package dev.runnerset.e2e.placement;

import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.e2e.Play;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DM15 on a real control plane with kube-scheduler; nodes are objects, and play what it binds. */
final class RealPlacementIT {
  @TempDir Path folder;

  private void play(Play.Script script) throws IOException {
    var cluster = cluster();
    var _ = Play.run(cluster, Play.SETTING.withPlaces(PlacementScript.PLACES), folder, script);
  }

  private RealCluster cluster() throws IOException {
    var cluster = Play.realCluster(folder);
    if (!cluster.server().startScheduler()) {
      cluster.close();
      Assumptions.abort("no kube-scheduler among the programs");
    }
    return cluster;
  }

  @Test
  void onNodesOfAFixedNumberTheVerdictOfTheSchedulerLimitsTheSet() throws IOException {
    play((world, progress) -> new PlacementScript(world, progress).fixed());
  }

  @Test
  @Tag("nightly")
  void elsewhereOnlyTheRefusalOfAnAutoscalerDoes() throws IOException {
    play((world, progress) -> new PlacementScript(world, progress).scalable());
  }
}
