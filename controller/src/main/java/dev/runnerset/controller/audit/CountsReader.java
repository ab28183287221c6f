package dev.runnerset.controller.audit;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.Statistics;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Reads the service's counts of a scale set, for passes and for sweeps. Thread-safe. */
public record CountsReader(ServiceConnections connections, Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(CountsReader.class);

  /**
   * Has that thread read the counts, unless a reading of the set is under way.
   *
   * @param memory takes what is read
   * @param ended is run when the reading has ended, whatever came of it
   */
  public void read(
      EphemeralRunnerSet set, AtomicReference<AuditState> memory, Executor thread, Runnable ended) {
    var begun = clock.instant();
    if (!memory.getAndUpdate(state -> state.reading(begun)).isReading()) {
      thread.execute(() -> {
        try {
          tryRead(set, memory);
        } finally {
          memory.updateAndGet(AuditState::ended); // else they would never be read again
          ended.run();
        }
      });
    }
  }

  private void tryRead(EphemeralRunnerSet set, AtomicReference<AuditState> memory) {
    try {
      // the counts are of some moment after the request was sent
      var askedAt = clock.instant();
      read(set)
          .map(statistics -> ServiceCounts.of(statistics, askedAt))
          .ifPresent(counts -> memory.updateAndGet(state -> state.learned(counts)));
    } catch (ServiceException | InvalidConnectionException | KubernetesClientException e) {
      boolean isAwaited = memory.get().openSince().isPresent();
      log(isAwaited ? Level.INFO : Level.DEBUG, set, e);
    } catch (RuntimeException e) {
      log(Level.ERROR, set, e);
    }
  }

  /**
   * The counts of a set now; blocks for the call.
   *
   * @return empty if the service has no such scale set, or gives no counts
   * @throws ServiceException if the call fails
   * @throws InvalidConnectionException if the set names nothing that can be connected by
   */
  public Optional<Statistics> read(EphemeralRunnerSet set) {
    return connections
        .toCleanUp(RunnerConnections.keyOf(set))
        .scaleSet(new ScaleSetId(set.getSpec().runnerScaleSetId()))
        .flatMap(found -> Optional.ofNullable(found.statistics()));
  }

  private static void log(Level level, EphemeralRunnerSet set, RuntimeException e) {
    LOG.atLevel(level)
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName())
        .addKeyValue("error", e.getMessage())
        .setCause(level == Level.ERROR ? e : null)
        .log("the service's counts could not be read; they are read again");
  }
}
