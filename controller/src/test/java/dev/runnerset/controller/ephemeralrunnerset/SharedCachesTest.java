package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the reconcilers of sets and of runners hear of each other. */
final class SharedCachesTest {
  private final RunnerCache runners = new RunnerCache();
  private final List<ResourceID> reconciled = new ArrayList<>();

  @Test
  void aRunnerThatWasMadeIsReconciledBeforeTheWatchTellsOfIt() {
    runners.setEventHandler((Event event) -> reconciled.add(event.getRelatedCustomResourceID()));
    runners.start();
    var made = new EphemeralRunner();
    made.setMetadata(
        new ObjectMetaBuilder().withNamespace("ns").withName("set-1").withUid("1").build());
    new SharedCaches(new SharedCache<>("sets"), runners).remember(made);
    assertThat(reconciled).containsExactly(new ResourceID("set-1", "ns"));
  }
}
