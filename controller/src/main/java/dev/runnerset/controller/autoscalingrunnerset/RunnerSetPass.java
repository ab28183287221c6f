package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.ClusterFindings;
import dev.runnerset.controller.autoscalingrunnerset.children.LiveRunners;
import dev.runnerset.controller.autoscalingrunnerset.children.TemplateCheck;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetCleanup;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.autoscalingrunnerset.registration.ServiceProbe;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.StallCondition;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Unreadable;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One pass over one runner set: syncs it or goes on with its deletion, and reports it. Knows
 * nothing of the framework.
 */
public final class RunnerSetPass {
  private final RunnerSetSync sync;
  private final RunnerSetDeletion deletion;
  private final RunnerSetEvents events;
  private volatile Consumer<SetKey> listenerTurned = key -> {};
  private final SetClaims claims;
  private final StatusWriter statuses;
  private final Memories memories;
  private final Known known;
  private final Clock clock;

  /** The sets in the cache, our own writes included. */
  public interface Known extends WriteCache {
    Stream<AutoScalingRunnerSet> sets();

    Optional<AutoScalingRunnerSet> set(SetKey key);

    /** Triggers a pass of the set. */
    void wake(SetKey key);
  }

  /**
   * What a pass acts with.
   *
   * @param calls the threads of calls of the service
   * @param reports of the passes over the EphemeralRunnerSets
   */
  public record Environment(
      KubeApi kube,
      ServiceConnections connections,
      Executor calls,
      Events events,
      Meters meters,
      Memories memories,
      RunnersReports reports,
      Clocks clocks) {}

  /**
   * Passes over all sets.
   *
   * @param hooks the features
   * @param holders which listener processes live
   */
  public RunnerSetPass(
      ControllerSettings settings,
      Environment environment,
      SetFeatures hooks,
      HolderLeases holders,
      Known known) {
    var kube = environment.kube();
    var places = settings.places();
    var recorder = environment.events();
    var connections = environment.connections();
    this.known = known;
    clock = environment.clocks().now();
    memories = environment.memories();
    var calls = new ServiceCalls(memories, environment.calls(), set -> known.wake(SetKey.of(set)));
    var registrar = new ScaleSetRegistrar(connections, calls, recorder, memories, clock);
    var templates = new TemplateCheck(kube, clock, memories);
    var children =
        new ChildWriter(kube, places.listenerNamespace(), places.listenerServiceAccount());
    var runners = new LiveRunners(kube);
    var probe = new ServiceProbe(connections, calls, clock, memories);
    statuses = new StatusWriter(kube, known, memories);
    var others =
        new OtherControllers(
            other -> OtherControllers.read(kube, other), environment.clocks().nanoTime());
    claims = new SetClaims(places.installation(), others, statuses, clock);
    var maker = new StatusMaker(hooks, holders, environment.reports(), memories, clock);
    sync = new RunnerSetSync(registrar, templates, children, maker, statuses, known, clock);
    deletion =
        new RunnerSetDeletion(
            registrar,
            new ScaleSetCleanup(
                connections, calls, recorder, clock, places.listenerNamespace(), memories),
            children,
            runners,
            maker,
            statuses,
            new WithoutService(kube, runners, probe, recorder, clock, memories),
            known,
            recorder,
            memories,
            clock);
    var series = new RunnerSetSeries(environment.meters());
    events = new RunnerSetEvents(recorder, series, memories, clock);
  }

  /** From now on {@code heard} gets each set whose listener became ready or ceased to be. */
  public void onListenerTurn(Consumer<SetKey> heard) {
    listenerTurned = heard;
  }

  /**
   * One pass; blocks for requests. The events of the set are published as it was before, and as the
   * pass left it, failed or not.
   *
   * @return when the next one is due; never for a set that is being deleted if nothing is left
   */
  public RequeueTime run(ObservedRunnerSet seen) {
    var taken = claims.take(seen.set());
    if (taken.isEmpty()) {
      events.forget(seen.set());
      memories.release(seen.set().getMetadata().getUid());
      return RequeueTime.at(clock.instant().plus(OwnershipTimes.CHECK_EVERY));
    }
    try {
      return runOurs(seen, taken.get());
    } finally {
      if (!isThere(seen.set())) {
        forget(seen.set()); // its delete event came in the middle
      }
    }
  }

  private RequeueTime runOurs(ObservedRunnerSet seen, AutoScalingRunnerSet set) {
    var before = events.publish(set);
    boolean deleted = set.isMarkedForDeletion();
    var unreadable = deleted ? Optional.<Unreadable>empty() : Unreadable.of(set);
    if (unreadable.isPresent()) {
      var reason = FailedPasses.reason(unreadable.get());
      notReady(set, new Finding(reason, FailedPasses.words(unreadable.get())));
      return before;
    }
    RequeueTime next;
    try {
      next = deleted ? deletion.run(seen.with(set)) : sync.run(seen.with(set));
    } catch (RuntimeException e) {
      var _ = events.publish(known.set(SetKey.of(set)).orElse(set));
      throw e;
    }
    var after = known.set(SetKey.of(set)).orElse(set);
    if (isListenerReady(after) != isListenerReady(set)) {
      listenerTurned.accept(SetKey.of(set));
    }
    var publish = events.publish(after);
    return deleted && next.isNever() ? next : next.or(publish);
  }

  private boolean isThere(AutoScalingRunnerSet set) {
    var uid = set.getMetadata().getUid();
    return known
        .set(SetKey.of(set))
        .filter(now -> uid.equals(now.getMetadata().getUid()))
        .isPresent();
  }

  /** The set is gone. */
  void forget(AutoScalingRunnerSet set) {
    events.forget(set);
    memories.isGone(set.getMetadata().getUid());
  }

  private static boolean isListenerReady(AutoScalingRunnerSet set) {
    return StatusConditions.isTrue(set.statusOrNone().conditions(), ConditionType.LISTENER_READY);
  }

  /**
   * Reports on a set of ours that a pass over it failed, unless the status that the pass wrote says
   * so. Blocks for a request.
   */
  void failed(AutoScalingRunnerSet seen, RuntimeException failure) {
    var finding =
        failure instanceof RunnerSetSync.StepException ? null : ClusterFindings.ofPass(failure);
    if (finding != null) {
      notReady(known.set(SetKey.of(seen)).orElse(seen), finding);
    }
  }

  /** Reports that a set of ours is not ready, unless it says just that; blocks for a request. */
  void notReady(AutoScalingRunnerSet set, Finding finding) {
    var before = set.statusOrNone().conditions();
    var now = clock.instant();
    var generation = set.getMetadata().getGeneration();
    var ready =
        StatusConditions.build(
            before,
            ConditionType.READY,
            Value.FALSE,
            finding.reason(),
            finding.message(),
            generation,
            now);
    var stalled =
        StallCondition.of(
            List.of(ready), before, null, Objects.requireNonNullElse(generation, 0L), now);
    var wanted = Stream.of(ready, stalled.condition()).filter(Objects::nonNull).toList();
    if (!before.containsAll(wanted)) {
      var _ = events.publish(statuses.report(set, wanted));
    }
  }
}
