package dev.runnerset.controller.removal;

import dev.runnerset.controller.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.EphemeralRunnerStatus;
import dev.runnerset.crd.RunnerRemoval;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.service.ActionsService;
import dev.runnerset.service.RemoveRunnerResult;
import dev.runnerset.service.RunnerId;
import dev.runnerset.service.ServiceException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The remover at the Actions service; see {@link RunnerRemover} for what it promises. */
public final class ServiceRunnerRemover implements RunnerRemover {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceRunnerRemover.class);

  private final RunnerConnections connections;
  private final RemoverObjects objects;
  private final Clock clock;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final Set<String> removed = ConcurrentHashMap.newKeySet();
  private final Map<String, RunnerRemoval> refusedByUid = new ConcurrentHashMap<>();

  /** A remover for all sets of this process. */
  public ServiceRunnerRemover(RunnerConnections connections, KubeApi kube, Clock clock) {
    this(connections, new KubeRemoverObjects(kube), clock);
  }

  ServiceRunnerRemover(RunnerConnections connections, RemoverObjects objects, Clock clock) {
    this.connections = connections;
    this.objects = objects;
    this.clock = clock;
  }

  @Override
  public Outcome removeRegistration(EphemeralRunner runner, RemovalReason reason) {
    return onlyOnce(runner, () -> removeById(runner, knownId(runner), reason));
  }

  /**
   * Removes a surplus runner: registration first, resource second (design section 5 steps 1, 5, 7).
   * One that never got as far as a registration goes without a service call. Removed is said once a
   * runner; under way also while its resource alone is left.
   */
  public Outcome removeSurplus(EphemeralRunner runner, RemovalReason reason) {
    return onlyOnce(
        runner,
        () -> {
          var id = knownId(runner);
          if (id == null) {
            return objects.deleteUnchanged(runner)
                ? new Outcome.Removed()
                : new Outcome.UnderWay(); // it changed since it was chosen: no error
          }
          var outcome = removeById(runner, id, reason);
          return outcome instanceof Outcome.Removed ? deleted(runner) : outcome;
        });
  }

  /**
   * Its registration is gone: it is no idle runner any more, whether its resource goes now or not.
   */
  private Outcome deleted(EphemeralRunner runner) {
    try {
      return objects.delete(runner) ? new Outcome.Removed() : new Outcome.UnderWay();
    } catch (KubernetesClientException e) {
      LOG.atWarn()
          .addKeyValue("namespace", runner.getMetadata().getNamespace())
          .addKeyValue("runner", runner.getMetadata().getName())
          .addKeyValue("error", e.getMessage())
          .log("a removed runner's resource could not be deleted; it is tried again");
      return new Outcome.UnderWay();
    }
  }

  @Override
  public boolean isRemoved(String uid) {
    return removed.contains(uid);
  }

  @Override
  public void forget(String uid) {
    removed.remove(uid);
    refusedByUid.remove(uid);
  }

  /**
   * Until when the last refusal for a runner counts, newer than the cache may be; null for none.
   */
  public @Nullable Instant suspectUntil(EphemeralRunner runner) {
    var last = lastRefusal(runner);
    return last == null ? null : last.busySuspectUntil();
  }

  private @Nullable RunnerRemoval lastRefusal(EphemeralRunner runner) {
    var remembered = refusedByUid.get(runner.getMetadata().getUid());
    return remembered != null ? remembered : status(runner).removal();
  }

  private interface Step {
    Outcome run();
  }

  private Outcome onlyOnce(EphemeralRunner runner, Step step) {
    var uid = runner.getMetadata().getUid();
    if (!underWay.add(uid)) {
      return new Outcome.UnderWay();
    }
    try {
      return step.run();
    } catch (ServiceException | InvalidConnectionException | KubernetesClientException e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    } finally {
      underWay.remove(uid);
    }
  }

  private Outcome removeById(
      EphemeralRunner runner, @Nullable RunnerId known, RemovalReason reason) {
    var uid = runner.getMetadata().getUid();
    if (removed.contains(uid)) {
      return new Outcome.Removed();
    }
    var last = lastRefusal(runner);
    if (BusySuspicion.isStanding(last, clock.instant())
        && !(reason == RemovalReason.ENDED && BusySuspicion.isClearedByEnd(last))) {
      return new Outcome.Refused(); // asking sooner would be a useless request (I3)
    }
    var service = connections.to(runner);
    var id = known != null ? Optional.of(known) : idByName(service, runner);
    if (id.isEmpty()) {
      removed.add(uid);
      return new Outcome.Removed();
    }
    return switch (service.removeRunner(id.get())) {
      case RemoveRunnerResult.Removed() -> {
        removed.add(uid);
        log(runner, id.get(), reason, "removed the registration of a runner");
        yield new Outcome.Removed();
      }
      case RemoveRunnerResult.JobStillRunning() -> {
        suspect(runner);
        log(runner, id.get(), reason, "the runner has a job: it stays");
        yield new Outcome.Refused();
      }
      case RemoveRunnerResult.Failed(var error) -> new Outcome.Failed(error.details().sentence());
    };
  }

  private void suspect(EphemeralRunner runner) {
    var removal = BusySuspicion.afterRefusal(lastRefusal(runner), clock.instant());
    refusedByUid.put(runner.getMetadata().getUid(), removal);
    try {
      objects.writeRemoval(runner, removal);
    } catch (KubernetesClientException e) {
      // the refusal stands all the same: this process remembers it
      LOG.atWarn()
          .addKeyValue("namespace", runner.getMetadata().getNamespace())
          .addKeyValue("runner", runner.getMetadata().getName())
          .addKeyValue("error", e.getMessage())
          .log("a refusal could not be written to the runner's status");
    }
  }

  private @Nullable RunnerId knownId(EphemeralRunner runner) {
    var inStatus = status(runner).runnerId();
    if (inStatus != null && inStatus > 0) {
      return new RunnerId(inStatus);
    }
    var inSecret = objects.runnerIdInSecret(runner);
    return inSecret.isPresent() && inSecret.getAsLong() > 0
        ? new RunnerId(inSecret.getAsLong())
        : null;
  }

  /** I5: a registration of another scale set is not ours, whatever its name. */
  private static Optional<RunnerId> idByName(ActionsService service, EphemeralRunner runner) {
    return service
        .runnerNamed(runner.getMetadata().getName())
        .filter(found -> found.scaleSetId().value() == runner.getSpec().runnerScaleSetId())
        .map(found -> found.id());
  }

  private static EphemeralRunnerStatus status(EphemeralRunner runner) {
    var status = runner.getStatus();
    return status == null ? EphemeralRunnerStatus.NONE : status;
  }

  private static void log(
      EphemeralRunner runner, RunnerId id, RemovalReason reason, String message) {
    LOG.atInfo()
        .addKeyValue("namespace", runner.getMetadata().getNamespace())
        .addKeyValue("runner", runner.getMetadata().getName())
        .addKeyValue("runnerId", id)
        .addKeyValue("reason", reason)
        .log(message);
  }
}
