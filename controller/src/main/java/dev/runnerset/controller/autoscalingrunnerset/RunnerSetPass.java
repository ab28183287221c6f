package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildObjects;
import dev.runnerset.controller.autoscalingrunnerset.children.ClusterFindings;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSets;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.hooks.RunnerSetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.kube.KubeApi;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One pass over one runner set: syncs it or goes on with its deletion, and tells of it. Knows
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
  private final Clock clock;

  /** The sets in the cache, our own writes included. */
  public interface Known {
    Stream<AutoScalingRunnerSet> sets();

    Optional<AutoScalingRunnerSet> set(SetKey key);
  }

  /** What a pass acts with. */
  public record Environment(
      KubeApi kube,
      ServiceConnections connections,
      Events events,
      Meters meters,
      Memories memories,
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
      RunnerSetFeatures hooks,
      HolderLeases holders) {
    var kube = environment.kube();
    var events = environment.events();
    var meters = environment.meters();
    clock = environment.clocks().now();
    memories = environment.memories();
    var connections = environment.connections();
    var scaleSets = ScaleSets.of(connections, events, memories, clock);
    var objects =
        ChildObjects.of(
            kube,
            settings.places().listenerNamespace(),
            settings.places().listenerServiceAccount(),
            memories,
            clock);
    this.statuses = new StatusWriter(kube, memories);
    var others =
        new OtherControllers(
            other -> OtherControllers.read(kube, other), environment.clocks().nanoTime());
    this.claims = new SetClaims(settings.places().installation(), others, statuses, clock);
    var maker = new StatusMaker(hooks, holders, clock);
    var withoutService =
        new WithoutService(kube, objects.runners(), scaleSets.probe(), events, memories, clock);
    this.sync = new RunnerSetSync(scaleSets, objects, maker, statuses, clock);
    this.deletion =
        new RunnerSetDeletion(
            scaleSets, objects, maker, statuses, withoutService, events, memories, clock);
    this.events =
        new RunnerSetEvents(events, new RunnerSetSeries(meters, hooks.series()), memories, clock);
  }

  /** From now on {@code heard} gets each set whose listener became ready or ceased to be. */
  public void onListenerTurn(Consumer<SetKey> heard) {
    listenerTurned = heard;
  }

  /** A pass over a set that is not being deleted; returns when the next one is due. */
  public RequeueTime sync(ObservedRunnerSet seen, Known known, WriteCache cache) {
    var ours = claims.take(seen.set(), cache);
    if (ours.isEmpty()) {
      return RequeueTime.at(leftAlone(seen.set()));
    }
    var done = publishing(ours.get(), known, () -> sync.run(seen.with(ours.get()), cache));
    return done.result().or(done.requeueAt());
  }

  /**
   * Tells on a set of ours that a pass over it failed, unless the status that the pass wrote says
   * so. Blocks for a request.
   */
  void failed(AutoScalingRunnerSet seen, RuntimeException failure, Known known, WriteCache cache) {
    var finding =
        failure instanceof RunnerSetSync.StepException ? null : ClusterFindings.ofPass(failure);
    if (finding != null) {
      notReady(known.set(SetKey.of(seen)).orElse(seen), finding, cache);
    }
  }

  /** Tells that a set of ours is not ready, unless it says just that; blocks for a request. */
  void notReady(AutoScalingRunnerSet set, Finding finding, WriteCache cache) {
    var before = set.statusOrNone().conditions();
    var wanted =
        StatusConditions.build(
            before,
            ConditionType.READY,
            Value.FALSE,
            finding.reason(),
            finding.message(),
            set.getMetadata().getGeneration(),
            clock.instant());
    if (!before.contains(wanted)) {
      var _ = events.publish(statuses.report(set, wanted, cache));
    }
  }

  private Instant leftAlone(AutoScalingRunnerSet set) {
    events.forget(set);
    return clock.instant().plus(SetClaims.CHECK_EVERY);
  }

  /**
   * A pass over a set that is being deleted.
   *
   * @return when the next one is due; empty when nothing is left
   */
  public Optional<Instant> delete(ObservedRunnerSet seen, Known known, WriteCache cache) {
    var ours = claims.take(seen.set(), cache);
    if (ours.isEmpty()) {
      return Optional.of(leftAlone(seen.set()));
    }
    var done = publishing(ours.get(), known, () -> deletion.run(seen.with(ours.get()), cache));
    if (done.result().isEmpty()) {
      events.forget(seen.set());
      return Optional.empty();
    }
    return done.requeueAt().or(done.result().get()).toOptional();
  }

  private static boolean isListenerReady(AutoScalingRunnerSet set) {
    return StatusConditions.isTrue(set.statusOrNone().conditions(), ConditionType.LISTENER_READY);
  }

  /** What a pass returned, and when its events are to be published again. */
  private record AfterPass<T>(T result, RequeueTime requeueAt) {}

  /**
   * Runs a pass; publishes the events of the set as it was before, and as the pass left it, failed
   * or not.
   */
  private <T> AfterPass<T> publishing(AutoScalingRunnerSet set, Known known, Supplier<T> pass) {
    boolean swept =
        memories.keepOnly(
            clock.instant(),
            () -> known.sets().map(s -> s.getMetadata().getUid()).collect(Collectors.toSet()));
    if (swept) {
      events.keepOnly(known.sets().map(SetKey::of).collect(Collectors.toSet()));
    }
    var _ = events.publish(set);
    T result;
    try {
      result = pass.get();
    } catch (RuntimeException e) {
      var _ = events.publish(known.set(SetKey.of(set)).orElse(set));
      throw e;
    }
    var after = known.set(SetKey.of(set)).orElse(set);
    if (isListenerReady(after) != isListenerReady(set)) {
      listenerTurned.accept(SetKey.of(set));
    }
    return new AfterPass<>(result, events.publish(after));
  }
}
