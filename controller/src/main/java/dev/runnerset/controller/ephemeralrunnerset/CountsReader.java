package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.ReconcileTrigger;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the service's counts of a scale set, beside the reconciler. */
final class CountsReader {
  private static final Logger LOG = LoggerFactory.getLogger(CountsReader.class);

  private final RunnerConnections connections;
  private final ExecutorService threads;
  private final ReconcileTrigger trigger;
  private final Clock clock;

  CountsReader(
      RunnerConnections connections,
      ExecutorService threads,
      ReconcileTrigger trigger,
      Clock clock) {
    this.connections = connections;
    this.threads = threads;
    this.trigger = trigger;
    this.clock = clock;
  }

  /**
   * Begins to read, unless a reading is under way; its end triggers a reconcile of the set.
   *
   * @param runner one of the scale set
   */
  void begin(String set, EphemeralRunner runner, CountsMemory memory) {
    if (memory.beginReading(clock.instant())) {
      threads.submit(() -> {
        ServiceCounts counts = null;
        try {
          counts = read(runner);
        } catch (RuntimeException e) {
          LOG.atError()
              .addKeyValue("namespace", runner.getMetadata().getNamespace())
              .addKeyValue("set", set)
              .setCause(e)
              .log("a fault while the service's counts were read; they are read again");
        } finally {
          memory.endReading(counts); // else they would never be read again
          trigger.trigger(runner.getMetadata().getNamespace(), set);
        }
      });
    }
  }

  private @Nullable ServiceCounts read(EphemeralRunner runner) {
    var id = new ScaleSetId(runner.getSpec().runnerScaleSetId());
    // the counts are of some moment after the request was sent
    var askedAt = clock.instant();
    try {
      return connections
          .to(runner)
          .scaleSet(id)
          .flatMap(found -> Optional.ofNullable(found.statistics()))
          .map(statistics -> ServiceCounts.of(statistics, askedAt))
          .orElse(null);
    } catch (ServiceException | InvalidConnectionException | KubernetesClientException e) {
      LOG.atInfo()
          .addKeyValue("namespace", runner.getMetadata().getNamespace())
          .addKeyValue("scaleSet", id)
          .addKeyValue("error", e.getMessage())
          .log("the service's counts could not be read; they are read again");
      return null;
    }
  }
}
