package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.base.Detail;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.ClusterFindings;
import dev.runnerset.controller.autoscalingrunnerset.children.LiveRunners;
import dev.runnerset.controller.autoscalingrunnerset.planning.BusyBudget;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionPlanner;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionPlanner.Left;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionPlanner.Step;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionTimes;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.planning.Revision;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetCleanup;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Obstacles;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.Denial;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles a runner set that is being deleted; {@link DeletionPlanner} has the order. */
record RunnerSetDeletion(
    ScaleSetRegistrar registrar,
    ScaleSetCleanup cleanup,
    ChildWriter children,
    LiveRunners runners,
    StatusMaker maker,
    StatusWriter statuses,
    WithoutService withoutService,
    WriteCache cache,
    Events events,
    Memories memories,
    Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerSetDeletion.class);

  /** Since when no role allows what is to be done. */
  private static final Slot<Instant> REFUSED_SINCE = new Slot<>();

  /** When the runners are listed next, to find the ones that somebody forces. */
  private static final Slot<Instant> FORCED_NEXT = new Slot<>(Instant.MIN);

  /** Events tell of all that comes next; this is for those that are late. */
  @Detail private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /** Until a role is made: no event tells of it. */
  @Detail private static final Duration NOT_ALLOWED = Duration.ofSeconds(10);

  /**
   * What the deletion waits for.
   *
   * @param failure why the service cannot be asked; null if it can
   */
  private record Waiting(String sentence, @Nullable Finding failure, Instant until) {
    Waiting with(String more) {
      return new Waiting(sentence + more, failure, until);
    }
  }

  /**
   * One pass; blocks for requests.
   *
   * @return when the next pass is due; never when nothing is left
   */
  RequeueTime run(ObservedRunnerSet seen) {
    var left = left(seen);
    var waiting = takeIfAllowed(DeletionPlanner.next(left), left, seen);
    if (waiting == null) {
      return RequeueTime.NEVER;
    }
    var status = status(seen, waiting);
    return statuses
        .write(seen.set(), status.status(), clock.instant(), () -> maker.stored(status))
        .or(waiting.until());
  }

  /** What no role allows is reported, since the user may have deleted the role before the set. */
  private @Nullable Waiting takeIfAllowed(Step step, Left left, ObservedRunnerSet seen) {
    var limit = "";
    Finding finding;
    try {
      return take(step, left, seen);
    } catch (KubernetesClientException e) {
      if (Denial.of(e).isEmpty()) {
        throw e;
      }
      finding = ClusterFindings.of(e);
      var since = memories.of(seen.set()).find(REFUSED_SINCE);
      limit =
          since == null
              ? "."
              : ". From %s on the set is deleted without that, and an event names what is left"
                  .formatted(since.plus(DeletionTimes.LONGEST_REFUSED));
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).addKeyValue("set", SetKey.of(seen.set())).log("a step fails");
      finding = Objects.requireNonNull(ClusterFindings.ofPass(e));
    }
    var sentence = step.sentence(left) + "; " + finding.message() + limit;
    return new Waiting(sentence, finding, clock.instant().plus(NOT_ALLOWED));
  }

  /** Carries the step out; returns what the deletion waits for, null when nothing is left. */
  private @Nullable Waiting take(Step step, Left left, ObservedRunnerSet seen) {
    var set = seen.set();
    var ers = seen.ephemeralRunnerSet();
    var waiting = new Waiting(step.sentence(left), null, clock.instant().plus(POLL_INTERVAL));
    switch (step) {
      case STOP_OFFERING -> stopOffering(seen);
      case AWAIT_RUNNERS -> {
        stopOffering(seen);
        deleteWithoutMessages(seen, left);
        var next = deleteForced(seen);
        if (left.busyRunners() > 0) { // a job may run for hours, and events tell of its end
          waiting = new Waiting(waiting.sentence(), null, next);
        }
        return withForce(withServiceProblem(waiting, seen), set);
      }
      case AWAIT_SEEN -> {}
      case END_LISTENING -> children.delete(Objects.requireNonNull(seen.listener()));
      case DELETE_EPHEMERAL_RUNNER_SET -> {
        if (ers != null) {
          children.delete(ers); // and those that it owns go with it
        }
        var _ = deleteForced(seen);
        if (ers == null) {
          runners.delete(set, null, runner -> true);
        }
        waiting = withServiceProblem(waiting, seen);
        return waiting.failure() == null && left.held().isEmpty()
            ? waiting
            : withForce(waiting, set);
      }
      case FINISH -> {
        return finish(seen);
      }
    }
    return waiting;
  }

  private @Nullable Waiting finish(ObservedRunnerSet seen) {
    var pending = cleanup.attempt(seen.set(), seen.all());
    if (pending.isEmpty()) {
      removeRest(seen);
      registrar.release(seen.set().getMetadata().getUid());
      return null;
    }
    var failure = pending.get().failure();
    var waiting = new Waiting(pending.get().sentence(), failure, pending.get().retryAt());
    return failure == null
        ? waiting
        : waiting.with(
            ". To end the deletion without the service, and leave the scale set there: "
                + ForcedDeletion.commandFor(seen.set()));
  }

  private Waiting withServiceProblem(Waiting waiting, ObservedRunnerSet seen) {
    return withoutService
        .check(seen.set(), seen.ephemeralRunnerSet())
        .map(problem ->
            new Waiting(
                problem.first()
                    ? problem.sentence() + "; " + waiting.sentence()
                    : waiting.sentence() + "; " + problem.sentence(),
                problem.finding(),
                waiting.until()))
        .orElse(waiting);
  }

  private static Waiting withForce(Waiting waiting, AutoScalingRunnerSet set) {
    var command = ForcedDeletion.commandFor(set);
    return waiting.sentence().contains(command)
        ? waiting
        : waiting.with(". To delete the runners at once, with their jobs: " + command);
  }

  private void stopOffering(ObservedRunnerSet seen) {
    children.stopOffering(seen.set(), seen.ephemeralRunnerSet(), seen.listener(), cache);
  }

  /**
   * Deletes the runners that somebody forces: the annotation is enough, on a runner or on the set
   * (RN12). Lists them, unless it is too early for that.
   *
   * @return when it is due again
   */
  private Instant deleteForced(ObservedRunnerSet seen) {
    var set = seen.set();
    var ers = seen.ephemeralRunnerSet();
    var now = clock.instant();
    var due = memories.of(set).get(FORCED_NEXT);
    if (now.isBefore(due)) {
      return due;
    }
    var next = now.plus(DeletionTimes.FORCED_LISTED_EVERY);
    memories.of(set).put(FORCED_NEXT, next);
    if (ForcedDeletion.isOf(set)) {
      runners.list(set, ers).stream()
          .filter(runner -> !ForcedDeletion.isOf(runner))
          .forEach(runners::force);
    }
    runners.delete(set, ers, ForcedDeletion::isOf);
    return next;
  }

  /**
   * Deletes the runners while no demand is known: then nothing else removes the surplus. Also those
   * whose scale set is gone: no message tells any more how such a runner ended.
   */
  private void deleteWithoutMessages(ObservedRunnerSet seen, Left left) {
    if (!left.seen()) {
      return;
    }
    var set = seen.set();
    var ers = seen.ephemeralRunnerSet();
    boolean heard = ers != null && ers.knownDemand() != null;
    if (!heard || withoutService.isScaleSetGone(set)) {
      runners.delete(set, ers, runner -> true);
    } else if (left.busyRunners() == 0) { // then this is over in seconds, and lists the runners
      runners.delete(set, ers, runner -> isOfFormerScaleSet(runner, set));
    }
  }

  /** Whether the set lost the scale set of the runner, as after somebody deleted it. */
  private static boolean isOfFormerScaleSet(EphemeralRunner runner, AutoScalingRunnerSet set) {
    return !runner.getSpec().runnerScaleSetId().equals(set.statusOrNone().scaleSetId());
  }

  /**
   * Deletes what bears no owner reference. What no role allows is left after a while: the deletion
   * must end, and with it that of the namespace.
   */
  private void removeRest(ObservedRunnerSet seen) {
    var set = seen.set();
    try {
      children.revoke(set);
      if (seen.budget() != null) {
        children.removeBudget(set);
      }
    } catch (KubernetesClientException e) {
      var now = clock.instant();
      var since = memories.of(set).begin(REFUSED_SINCE, () -> now);
      var status = set.statusOrNone();
      boolean madeNothing = status.scaleSetId() == null && status.scaleSetIntent() == null;
      if (Denial.of(e).isEmpty()
          || !DeletionPlanner.goesWithoutRights(madeNothing, Duration.between(since, now))) {
        throw e;
      }
      if (!madeNothing) {
        var meta = set.getMetadata();
        events.warn(
            set,
            EventReason.OBJECTS_LEFT,
            ("the controller may not delete the objects that it created for the set, and leaves"
                    + " them; delete them if they exist: kubectl delete --ignore-not-found"
                    + " --namespace %1$s"
                    + " role/%2$s rolebinding/%2$s poddisruptionbudget/%3$s. %4$s")
                .formatted(
                    meta.getNamespace(),
                    ChildNames.permissions(meta.getName()),
                    BusyBudget.name(set),
                    Denial.words(e)));
      }
    }
  }

  private Left left(ObservedRunnerSet seen) {
    var ers = seen.ephemeralRunnerSet();
    var listener = seen.listener();
    var staying = ers == null || ers.isMarkedForDeletion() ? null : ers;
    boolean stopped =
        (staying == null || Objects.equals(staying.getSpec().maxRunners(), 0))
            && (listener == null
                || listener.isMarkedForDeletion()
                || Objects.equals(listener.getSpec().capacity(), 0));
    boolean hasSeen =
        staying == null
            || Objects.equals(
                staying.statusOrNone().observedGeneration(), staying.getMetadata().getGeneration());
    var counts = ers == null ? null : ers.statusOrNone().runners();
    int counted = counts == null ? 0 : counts.live();
    int busy = counts == null ? 0 : counts.busy();
    var live =
        stopped && counted == 0
            ? runners.of(seen.set(), ers)
            : new LiveRunners.Count(counted, busy, counted, "");
    return new Left(
        ers != null,
        stopped,
        hasSeen,
        listener != null,
        live.unfinished(),
        live.busy(),
        live.all(),
        live.held());
  }

  private RunnerSetFacts status(ObservedRunnerSet seen, Waiting waiting) {
    var set = seen.set();
    var id = set.statusOrNone().scaleSetId();
    var failure =
        waiting.failure() == null && id == null
            ? new Finding(RunnerSetReason.DELETING, "the set is being deleted")
            : waiting.failure();
    var registration =
        failure == null
            ? new Registration.Registered(
                new ScaleSetId(Objects.requireNonNull(id)), RunnerGroupId.DEFAULT, null)
            : new Registration.Failed(failure, Instant.MAX);
    return maker.of(
        maker.facts(set, seen.ephemeralRunnerSet(), seen.listener(), false, null),
        Obstacles.ofDeletion(waiting.sentence(), registration),
        Limits.usual(set.getSpec()),
        RunnerPlaces.NONE,
        Revision.of(set.getSpec()));
  }
}
