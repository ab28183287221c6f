package dev.runnerset.controller.removal;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.AccessReasons;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerRemoval;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes registrations at the Actions service. */
public final class ServiceRunnerRemover implements RunnerRemover {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceRunnerRemover.class);
  private static final Slot<Set<RunnerId>> REMOVED = new Slot<>(Set.of());
  private static final Slot<RunnerRemoval> REFUSED = new Slot<>();

  private final RunnerConnections connections;
  private final RemoverObjects objects;
  private final Answers answers;
  private final Clock clock;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final Memories memories;

  /** Hears of each removal request that was sent, and what came of it. Must not block. */
  @FunctionalInterface
  public interface Answers {
    void answered(EphemeralRunner runner, RemovalReason reason, RemoveRunnerResult answer);
  }

  /** A remover for all sets of this process. */
  public ServiceRunnerRemover(
      RunnerConnections connections,
      KubeApi kube,
      Answers answers,
      Memories memories,
      Clock clock) {
    this(connections, new RemoverObjects.AtApiServer(kube), answers, memories, clock);
  }

  ServiceRunnerRemover(
      RunnerConnections connections,
      RemoverObjects objects,
      Answers answers,
      Memories memories,
      Clock clock) {
    this.memories = memories;
    this.connections = connections;
    this.objects = objects;
    this.answers = answers;
    this.clock = clock;
  }

  @Override
  public Outcome removeRegistration(EphemeralRunner runner, RemovalReason reason) {
    return onlyOnce(
        runner,
        () -> {
          var id = knownId(runner);
          return id == null ? removeByName(runner, reason) : removeById(runner, id, reason);
        });
  }

  @Override
  public Outcome removeAll(EphemeralRunner runner, RemovalReason reason) {
    return onlyOnce(
        runner,
        () -> {
          var id = knownId(runner);
          var known = id == null ? new Outcome.Removed(false) : removeById(runner, id, reason);
          if (!(known instanceof Outcome.Removed(var byUs))) {
            return known;
          }
          var named = removeByName(runner, reason);
          return named instanceof Outcome.Removed && byUs ? known : named;
        });
  }

  @Override
  public Optional<Outcome> removeLeftOver(EphemeralRunner leftOver) {
    var foreign = new AtomicBoolean();
    var outcome =
        onlyOnce(
            leftOver,
            () -> {
              var id = new RunnerId(Objects.requireNonNull(leftOver.statusOrNone().runnerId()));
              var found = connections.toCleanUp(leftOver).runner(id);
              if (found.isEmpty()) {
                return new Outcome.Removed(false);
              }
              // INVARIANT (I5): the service says whose it is, not the list of runners, nor a pod
              foreign.set(!isOf(found.get(), leftOver));
              return foreign.get()
                  ? new Outcome.UnderWay()
                  : removeById(leftOver, id, RemovalReason.LEFT_OVER);
            });
    memories.release(leftOver.getMetadata().getUid()); // no object of it goes
    return foreign.get() ? Optional.empty() : Optional.of(outcome);
  }

  private static boolean isOf(RunnerReference found, EphemeralRunner runner) {
    return found.scaleSetId().value() == runner.getSpec().runnerScaleSetId()
        && found.name().equalsIgnoreCase(runner.getMetadata().getName());
  }

  /**
   * Removes a surplus runner: registration first, resource second (SD1, SD5, SD7). A runner without
   * a registration is deleted without a service call. The answer is Removed once for each runner,
   * and ResourceLeft while only its resource is left.
   */
  public Outcome removeSurplus(EphemeralRunner runner, RemovalReason reason) {
    return onlyOnce(
        runner,
        () -> {
          var id = knownId(runner);
          if (id == null) {
            return objects.deleteUnchanged(runner)
                ? new Outcome.Removed(false)
                : new Outcome.UnderWay(); // it changed since it was chosen: no error
          }
          var outcome = removeById(runner, id, reason);
          return outcome instanceof Outcome.Removed removed ? deleted(runner, removed) : outcome;
        });
  }

  /**
   * Deletes the resource of a runner whose registration is removed. If that fails, the runner still
   * is no idle runner any more.
   */
  private Outcome deleted(EphemeralRunner runner, Outcome.Removed removed) {
    try {
      return objects.delete(runner) ? removed : new Outcome.UnderWay();
    } catch (KubernetesClientException e) {
      LogLines.about(runner, LOG.atWarn())
          .addKeyValue("error", e.getMessage())
          .log("a removed runner's resource could not be deleted; it is tried again");
      return new Outcome.ResourceLeft();
    }
  }

  @Override
  public boolean isRemoved(String uid, long runnerId) {
    return memories.of(uid).get(REMOVED).contains(new RunnerId(runnerId));
  }

  private void remember(EphemeralRunner runner, RunnerId id) {
    memories.of(runner).begin(REMOVED, ConcurrentHashMap::newKeySet).add(id);
  }

  /**
   * Until when the last refusal for a runner counts, newer than the cache may be; null for none.
   */
  public @Nullable Instant suspectUntil(EphemeralRunner runner) {
    var last = lastRefusal(runner);
    return last == null ? null : last.busySuspectUntil();
  }

  private @Nullable RunnerRemoval lastRefusal(EphemeralRunner runner) {
    var remembered = memories.of(runner).find(REFUSED);
    return remembered != null ? remembered : runner.statusOrNone().removal();
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
    } catch (ServiceException e) {
      return new Outcome.Failed(AccessReasons.of(e.error()), String.valueOf(e.getMessage()));
    } catch (InvalidConnectionException e) {
      return new Outcome.Failed(e.reason(), String.valueOf(e.getMessage()));
    } catch (KubernetesClientException e) {
      return new Outcome.Failed(RunnerReason.READ_FAILED, String.valueOf(e.getMessage()));
    } finally {
      underWay.remove(uid);
    }
  }

  private Outcome removeById(EphemeralRunner runner, RunnerId id, RemovalReason reason) {
    if (isRemoved(runner.getMetadata().getUid(), id.value())) {
      return new Outcome.Removed(false);
    }
    if (isSuspect(runner, reason)) {
      return new Outcome.Refused();
    }
    var service = connections.toCleanUp(runner);
    // The service may answer 204 for an unknown id, too, so it is asked first whether it knows it.
    boolean there =
        !reason.isCheckedFirst() || idByName(service, runner).filter(id::equals).isPresent();
    if (!there && reason == RemovalReason.ENDED_BY_DELETION) {
      return new Outcome.Removed(false); // asked again after the settle window (LV3)
    }
    var answer =
        isAnothers(service, runner, id, reason)
            ? new RemoveRunnerResult.NotFound()
            : service.removeRunner(id);
    if (answer instanceof RemoveRunnerResult.NotFound && !reason.isEnd()) {
      return confirmedByName(service, runner, id, reason);
    }
    var outcome = answered(runner, id, answer, reason);
    return outcome instanceof Outcome.Removed && !there ? new Outcome.Removed(false) : outcome;
  }

  /**
   * INVARIANT (I5): a restored service gives ids again. While the scale set is in doubt, and for a
   * runner that the service was found not to know, the registration is looked at before it goes. A
   * left-over was looked at already.
   */
  private boolean isAnothers(
      ActionsService service, EphemeralRunner runner, RunnerId id, RemovalReason reason) {
    boolean doubted =
        reason == RemovalReason.UNREGISTERED
            || (reason != RemovalReason.LEFT_OVER && connections.isScaleSetDoubted(runner));
    boolean anothers =
        doubted && service.runner(id).filter(found -> !isOf(found, runner)).isPresent();
    if (anothers) {
      LogLines.about(runner, LOG.atWarn())
          .addKeyValue("runnerId", id)
          .log("the id of the registration is somebody else's now: it is left alone");
    }
    return anothers;
  }

  /**
   * The service does not know the id, and the runner's container is not known to have ended: it may
   * run with another registration of the runner's name, even with a job (I1).
   */
  private Outcome confirmedByName(
      ActionsService service, EphemeralRunner runner, RunnerId unknown, RemovalReason reason) {
    var named = idByName(service, runner);
    if (named.isEmpty()) {
      return answered(runner, unknown, new RemoveRunnerResult.NotFound(), reason);
    }
    var id = named.get();
    if (id.equals(unknown)) {
      return new Outcome.Failed(
          AccessReason.CONFLICT, "the service does not know runner " + id + ", but lists its name");
    }
    var outcome = answered(runner, id, service.removeRunner(id), reason);
    if (outcome instanceof Outcome.Removed) {
      remember(runner, unknown);
    }
    return outcome;
  }

  private Outcome removeByName(EphemeralRunner runner, RemovalReason reason) {
    if (isSuspect(runner, reason)) {
      return new Outcome.Refused();
    }
    var service = connections.toCleanUp(runner);
    return idByName(service, runner)
        .map(id -> answered(runner, id, service.removeRunner(id), reason))
        .orElseGet(() -> new Outcome.Removed(false));
  }

  /** Whether a request now would be useless, since the last one was refused (I3). */
  private boolean isSuspect(EphemeralRunner runner, RemovalReason reason) {
    var last = lastRefusal(runner);
    return BusySuspicion.isStanding(last, clock.instant())
        && !BusySuspicion.isCleared(
            last, reason.clearsRefusal(), runner.statusOrNone().isJobCompleted());
  }

  private Outcome answered(
      EphemeralRunner runner, RunnerId id, RemoveRunnerResult answer, RemovalReason reason) {
    answers.answered(runner, reason, answer);
    return switch (answer) {
      case RemoveRunnerResult.Removed() -> {
        remember(runner, id);
        log(runner, id, reason, "removed the registration of a runner");
        yield new Outcome.Removed();
      }
      case RemoveRunnerResult.NotFound() -> {
        remember(runner, id);
        log(runner, id, reason, "the registration of a runner was gone already");
        yield new Outcome.Removed(false);
      }
      case RemoveRunnerResult.JobStillRunning() -> {
        suspect(runner, reason);
        log(runner, id, reason, "the service says that the runner has a job; it stays");
        yield new Outcome.Refused();
      }
      case RemoveRunnerResult.Failed(var error) ->
          new Outcome.Failed(AccessReasons.of(error), error.details().sentence());
    };
  }

  private void suspect(EphemeralRunner runner, RemovalReason reason) {
    if (reason == RemovalReason.LEFT_OVER) {
      return; // it has neither a status nor an object that goes; the sweep waits by itself
    }
    var removal = BusySuspicion.afterRefusal(lastRefusal(runner), clock.instant());
    memories.of(runner).put(REFUSED, removal);
    try {
      objects.writeRemoval(runner, removal);
    } catch (KubernetesClientException e) {
      // the refusal stands all the same: this process remembers it
      LogLines.about(runner, LOG.atWarn())
          .addKeyValue("error", e.getMessage())
          .log("a refusal could not be written to the runner's status");
    }
  }

  private @Nullable RunnerId knownId(EphemeralRunner runner) {
    var inStatus = runner.statusOrNone().runnerId();
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

  private static void log(
      EphemeralRunner runner, RunnerId id, RemovalReason reason, String message) {
    LogLines.about(runner, LOG.atInfo())
        .addKeyValue("runnerId", id)
        .addKeyValue("reason", reason)
        .log(message);
  }
}
