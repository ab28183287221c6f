package dev.runnerset.controller.sweep;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.LeftOver.Result;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for runners whose container runs and that the service does not know, and removes them: no
 * job comes to them. Each is asked for by id and by name before it goes.
 */
final class UnregisteredRunnerSweep {
  private static final Logger LOG = LoggerFactory.getLogger(UnregisteredRunnerSweep.class);

  /** A look asks the service about so many at most. */
  private static final int MOST_ASKED = 20;

  private final SetsToSweep sets;
  private final ServiceConnections connections;
  private final LeftOverEvents events;
  private final Clock clock;

  UnregisteredRunnerSweep(
      SetsToSweep sets, ServiceConnections connections, LeftOverEvents events, Clock clock) {
    this.sets = sets;
    this.connections = connections;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Looks. Blocks for its requests.
   *
   * @param deficit at most so many are removed
   */
  SweepState sweep(EphemeralRunnerSet set, int deficit, SweepState state) {
    var unknown = new ArrayList<RunnerView>();
    try {
      for (var view : asked(set)) {
        if (unknown.size() < deficit && isUnknown(set, view)) {
          unknown.add(view);
        }
      }
    } catch (ServiceException | InvalidConnectionException | KubernetesClientException e) {
      LOG.atInfo()
          .addKeyValue("namespace", set.getMetadata().getNamespace())
          .addKeyValue("set", set.getMetadata().getName())
          .addKeyValue("error", e.getMessage())
          .log("the service cannot be asked about runners; the next sweep tries again");
    }
    return state.looked(remove(set, unknown), clock.instant());
  }

  private List<RunnerView> asked(EphemeralRunnerSet set) {
    return sets.missing(set, clock.instant().minus(SweepPlanner.CONFIRMED_AFTER)).stream()
        .limit(MOST_ASKED)
        .toList();
  }

  private boolean isUnknown(EphemeralRunnerSet set, RunnerView view) {
    var id =
        sets.resource(set, view)
            .map(EphemeralRunner::statusOrNone)
            .map(status -> status.runnerId());
    if (id.isEmpty()) {
      return false;
    }
    var service = connections.toCleanUp(RunnerConnections.keyOf(set));
    return service.runner(new RunnerId(id.get())).isEmpty()
        && service.runnerNamed(view.name()).isEmpty();
  }

  /** Whether one was removed. */
  private boolean remove(EphemeralRunnerSet set, List<RunnerView> unknown) {
    boolean removed = false;
    for (var view : unknown) {
      var result = sets.removeRunner(set, view);
      result.ifPresent(
          became -> events.report(set, LeftOver.RESOURCE, became, view.name(), sentence(became)));
      removed |= result.filter(became -> became == Result.REMOVED).isPresent();
    }
    return removed;
  }

  private static String sentence(Result result) {
    return switch (result) {
      case REMOVED, GONE -> ": removed; the service did not know it, so no job could come";
      case BUSY -> ": stays; the service did not know it, and says now that it has a job";
      case FAILED, FOREIGN -> ": cannot be removed yet; the service does not know it";
    };
  }
}
