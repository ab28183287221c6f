package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the reconcilers of sets and of runners hear of each other. */
final class SharedCachesTest {
  private final RunnerCache runners = new RunnerCache();
  private static final SetKey SET = new SetKey("ns", "set");

  private final SharedCaches caches =
      new SharedCaches(new SharedCache<>("sets"), runners, ers -> ers);
  private final List<ResourceID> reconciled = new ArrayList<>();

  @Test
  void aRunnerThatWasMadeIsInTheCacheAndThenReconciledBeforeTheWatchTellsOfIt() {
    runners.setEventHandler(event -> {
      assertThat(caches.takeChanged(SET)).as("what the cache shows").containsExactly("set-1");
      reconciled.add(event.getRelatedCustomResourceID());
    });
    runners.start();
    var made = new EphemeralRunner();
    made.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("ns")
            .withName("set-1")
            .withUid("1")
            .withLabels(Map.of(Labels.SET, "set"))
            .build());
    assertThat(caches.takeChanged(SET)).isEmpty();
    caches.remember(made);
    assertThat(reconciled).containsExactly(new ResourceID("set-1", "ns"));
  }
}
