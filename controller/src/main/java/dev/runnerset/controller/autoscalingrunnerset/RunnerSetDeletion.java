package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildObjects;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.ClusterFindings;
import dev.runnerset.controller.autoscalingrunnerset.planning.BusyBudget;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionPlanner;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionPlanner.Left;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionPlanner.Step;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.planning.Revision;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSets;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput.Obstacles;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.Denial;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles a runner set that is being deleted; {@link DeletionPlanner} has the order. */
final class RunnerSetDeletion {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerSetDeletion.class);

  /** Events tell of all that comes next; this is for those that are late. */
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /** Until a role is made: no event tells of it. */
  private static final Duration NOT_ALLOWED = Duration.ofSeconds(10);

  /**
   * What the deletion waits for.
   *
   * @param failure why the service cannot be asked; null if it can
   */
  private record Waiting(String sentence, @Nullable Finding failure, Instant until) {}

  private final ScaleSets scaleSets;
  private final ChildObjects objects;
  private final StatusMaker maker;
  private final StatusWriter statuses;
  private final WithoutService withoutService;
  private final ForcedRunners forced;
  private final Events events;
  private final Clock clock;
  private final Map<String, Instant> refusedSinceByUid;

  RunnerSetDeletion(
      ScaleSets scaleSets,
      ChildObjects objects,
      StatusMaker maker,
      StatusWriter statuses,
      WithoutService withoutService,
      Events events,
      Memories memories,
      Clock clock) {
    this.refusedSinceByUid = memories.byUid();
    this.scaleSets = scaleSets;
    this.objects = objects;
    this.maker = maker;
    this.statuses = statuses;
    this.withoutService = withoutService;
    this.forced = new ForcedRunners(objects.runners(), memories, clock);
    this.events = events;
    this.clock = clock;
  }

  /**
   * One pass; blocks for requests.
   *
   * @return when the next pass is due; empty when nothing is left
   */
  Optional<Instant> run(ObservedRunnerSet gathered, WriteCache cache) {
    var left = left(gathered);
    var waiting = takeIfAllowed(DeletionPlanner.next(left), left, gathered, cache);
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    var status = status(gathered, waiting.get());
    var rest =
        statuses.write(
            gathered.set(), status.status(), cache, clock.instant(), () -> maker.stored(status));
    return rest.or(waiting.get().until()).toOptional();
  }

  /** What no role allows is reported, since the user may have deleted the role before the set. */
  private Optional<Waiting> takeIfAllowed(
      Step step, Left left, ObservedRunnerSet gathered, WriteCache cache) {
    try {
      return take(step, left, gathered, cache);
    } catch (KubernetesClientException e) {
      if (Denial.of(e).isEmpty()) {
        throw e;
      }
      var finding = ClusterFindings.of(e);
      var since = refusedSinceByUid.get(gathered.set().getMetadata().getUid());
      var limit =
          since == null
              ? ""
              : " From "
                  + since.plus(DeletionPlanner.LONGEST_REFUSED)
                  + " on the set goes without that, and an event names what is left";
      return Optional.of(
          new Waiting(
              step.sentence() + "; " + finding.message() + "." + limit,
              finding,
              clock.instant().plus(NOT_ALLOWED)));
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).addKeyValue("set", SetKey.of(gathered.set())).log("a step fails");
      var finding = Objects.requireNonNull(ClusterFindings.ofPass(e));
      return Optional.of(
          new Waiting(
              step.sentence() + "; " + finding.message(),
              finding,
              clock.instant().plus(NOT_ALLOWED)));
    }
  }

  /** Carries the step out; returns what the deletion waits for, empty when nothing is left. */
  private Optional<Waiting> take(
      Step step, Left left, ObservedRunnerSet gathered, WriteCache cache) {
    var waiting = new Waiting(step.sentence(), null, clock.instant().plus(POLL_INTERVAL));
    switch (step) {
      case Step.StopOffering() -> stopOffering(gathered, cache);
      case Step.AwaitRunners awaited -> {
        stopOffering(gathered, cache);
        deleteWithoutMessages(gathered, left);
        var requeueAt = forced.apply(gathered.set(), gathered.ephemeralRunnerSet());
        if (awaited.busy() > 0) { // a job may run for hours, and events tell of its end
          waiting = new Waiting(waiting.sentence(), null, requeueAt);
        }
        waiting = withForce(withServiceProblem(waiting, gathered), gathered);
      }
      case Step.AwaitSeen() -> {}
      case Step.EndListening() -> {
        delete(gathered.listener());
      }
      case Step.DeleteEphemeralRunnerSet() -> {
        delete(gathered.ephemeralRunnerSet());
        var _ = forced.apply(gathered.set(), gathered.ephemeralRunnerSet());
        if (gathered.ephemeralRunnerSet() == null) { // else those that it owns go with it
          objects.runners().delete(gathered.set(), null, runner -> true);
        }
        waiting = withServiceProblem(waiting, gathered);
        if (waiting.failure() != null) {
          waiting = withForce(waiting, gathered);
        }
      }
      case Step.Finish() -> {
        var pending = scaleSets.cleanup().attempt(gathered.set(), gathered.all());
        if (pending.isEmpty()) {
          removeRest(gathered);
          scaleSets.registrar().release(gathered.set().getMetadata().getUid());
        }
        return pending.map(p -> {
          var problem = new Waiting(p.sentence(), p.failure(), p.retryAt());
          return p.failure() == null ? problem : withoutScaleSet(problem, gathered.set());
        });
      }
    }
    return Optional.of(waiting);
  }

  private Waiting withServiceProblem(Waiting waiting, ObservedRunnerSet gathered) {
    return withoutService
        .check(gathered.set(), gathered.ephemeralRunnerSet())
        .map(problem ->
            new Waiting(
                problem.first()
                    ? problem.sentence() + "; " + waiting.sentence()
                    : waiting.sentence() + "; " + problem.sentence(),
                problem.finding(),
                waiting.until()))
        .orElse(waiting);
  }

  private static Waiting withForce(Waiting waiting, ObservedRunnerSet gathered) {
    if (waiting.sentence().contains(ForcedDeletion.commandFor(gathered.set()))) {
      return waiting;
    }
    return new Waiting(
        waiting.sentence()
            + ". To delete the runners at once, with their jobs: "
            + ForcedDeletion.commandFor(gathered.set()),
        waiting.failure(),
        waiting.until());
  }

  private static Waiting withoutScaleSet(Waiting waiting, AutoScalingRunnerSet set) {
    return new Waiting(
        waiting.sentence()
            + ". To end the deletion without the service, and leave the scale set there: "
            + ForcedDeletion.commandFor(set),
        waiting.failure(),
        waiting.until());
  }

  private void stopOffering(ObservedRunnerSet gathered, WriteCache cache) {
    var ers = gathered.ephemeralRunnerSet();
    objects.children().stopOffering(gathered.set(), ers, gathered.listener(), cache);
  }

  /**
   * Deletes the runners while no demand is known: then nothing else removes the surplus. Also those
   * whose scale set is gone: no message tells any more how such a runner ended.
   */
  private void deleteWithoutMessages(ObservedRunnerSet gathered, Left left) {
    if (!left.seen()) {
      return;
    }
    var set = gathered.set();
    var ers = gathered.ephemeralRunnerSet();
    boolean heard = ChildSpecs.demand(ers) != null;
    if (!heard || withoutService.isScaleSetGone(set)) {
      objects.runners().delete(set, ers, runner -> true);
    } else if (left.busyRunners() == 0) { // then this is over in seconds, and lists the runners
      objects.runners().delete(set, ers, runner -> isOfFormerScaleSet(runner, set));
    }
  }

  /** Whether another scale set was made since the runner was, as after somebody deleted it. */
  private static boolean isOfFormerScaleSet(EphemeralRunner runner, AutoScalingRunnerSet set) {
    var present = set.statusOrNone().scaleSetId();
    return present != null && !present.equals(runner.getSpec().runnerScaleSetId());
  }

  /**
   * Deletes what bears no owner reference. What no role allows is left after a while: the deletion
   * must end, and with it that of the namespace.
   */
  private void removeRest(ObservedRunnerSet gathered) {
    var set = gathered.set();
    try {
      objects.children().revoke(set);
      if (gathered.budget() != null) {
        objects.children().removeBudget(set);
      }
    } catch (KubernetesClientException e) {
      var now = clock.instant();
      var since = refusedSinceByUid.computeIfAbsent(set.getMetadata().getUid(), u -> now);
      var status = set.statusOrNone();
      boolean madeNothing = status.scaleSetId() == null && status.scaleSetIntent() == null;
      if (Denial.of(e).isEmpty()
          || !DeletionPlanner.goesWithoutRights(madeNothing, Duration.between(since, now))) {
        throw e;
      }
      if (!madeNothing) {
        events.warn(set, EventReason.OBJECTS_LEFT, left(set, e));
      }
    }
  }

  private static String left(AutoScalingRunnerSet set, KubernetesClientException refusal) {
    var meta = set.getMetadata();
    var permissions = ChildNames.permissions(meta.getName());
    return "the controller may not delete what it made for the set, and leaves it; delete it, as"
        + " far as it is there: kubectl delete --ignore-not-found --namespace "
        + meta.getNamespace()
        + " role/"
        + permissions
        + " rolebinding/"
        + permissions
        + " poddisruptionbudget/"
        + BusyBudget.name(set)
        + ". "
        + Denial.words(refusal);
  }

  private void delete(io.fabric8.kubernetes.api.model.@Nullable HasMetadata child) {
    if (child != null) {
      objects.children().delete(child);
    }
  }

  private Left left(ObservedRunnerSet gathered) {
    var ers = gathered.ephemeralRunnerSet();
    boolean stopped = isStopped(ers) && isStopped(gathered.listener());
    boolean listener = gathered.listener() != null;
    var counts = ers == null ? null : ers.statusOrNone().runners();
    int counted = counts == null ? 0 : counts.live();
    if (!stopped || counted > 0) {
      int busy = counts == null ? 0 : counts.busy();
      return new Left(ers != null, stopped, hasSeen(ers), listener, counted, busy, counted);
    }
    var live = objects.runners().of(gathered.set(), ers);
    return new Left(
        ers != null, true, hasSeen(ers), listener, live.unfinished(), live.busy(), live.all());
  }

  private static boolean isStopped(@Nullable EphemeralRunnerSet ers) {
    return ers == null
        || ChildWriter.isTerminating(ers)
        || Objects.equals(ers.getSpec().replicas(), 0);
  }

  private static boolean hasSeen(@Nullable EphemeralRunnerSet ers) {
    return ers == null
        || ChildWriter.isTerminating(ers)
        || Objects.equals(
            ers.statusOrNone().observedGeneration(), ers.getMetadata().getGeneration());
  }

  private static boolean isStopped(@Nullable AutoScalingListener listener) {
    return listener == null
        || ChildWriter.isTerminating(listener)
        || Objects.equals(listener.getSpec().capacity(), 0);
  }

  private StatusMaker.Made status(ObservedRunnerSet gathered, Waiting waiting) {
    var set = gathered.set();
    var registration =
        waiting.failure() == null
            ? registration(set.statusOrNone().scaleSetId())
            : new Registration.Failed(waiting.failure(), Instant.MAX);
    return maker.of(
        maker.facts(set, gathered.ephemeralRunnerSet(), gathered.listener(), false, null),
        Obstacles.ofDeletion(waiting.sentence(), registration),
        Limits.usual(set.getSpec()),
        Revision.of(set.getSpec()));
  }

  private static Registration registration(@Nullable Integer scaleSetId) {
    return scaleSetId == null
        ? new Registration.Failed(
            new Finding(RunnerSetReason.DELETING, "the set is being deleted"), Instant.MAX)
        : new Registration.Registered(new ScaleSetId(scaleSetId), RunnerGroupId.DEFAULT, null);
  }
}
