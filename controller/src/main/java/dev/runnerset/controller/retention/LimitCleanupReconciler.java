package dev.runnerset.controller.retention;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.meter.Meters;
import dev.runnerset.controller.references.Ownership;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crd.AutoScalingRunnerSet;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.Labels;
import dev.runnerset.kube.KubeApi;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the oldest finished runners of a set beyond its limits (design 000 R18 to R23). Apart
 * from the main reconcilers and from the times. No Cleaner: it must hold nothing up.
 */
@ControllerConfiguration(
    name = "runnerset-limit-cleanup-controller",
    generationAwareEventProcessing = false,
    maxReconciliationInterval = @MaxReconciliationInterval(interval = 1),
    informer =
        @Informer(
            onAddFilter = LimitEvents.Added.class,
            onUpdateFilter = LimitEvents.Updated.class))
@GradualRetry(
    initialInterval = 1000,
    intervalMultiplier = 2,
    maxInterval = 60_000,
    maxAttempts = -1)
public final class LimitCleanupReconciler implements Reconciler<AutoScalingRunnerSet>, SetLookup {
  private final FinishedRunnerDeleter deleter;
  private final DeletePace pace;
  private final PendingDeletes pending = new PendingDeletes();
  private final Clock clock;
  private @Nullable IndexedResourceCache<AutoScalingRunnerSet> sets;

  /** The reconciler. */
  public LimitCleanupReconciler(KubeApi kube, Events events, Meters meters, Clock clock) {
    this(kube, events, meters, clock, new DeletePace());
  }

  LimitCleanupReconciler(KubeApi kube, Events events, Meters meters, Clock clock, DeletePace pace) {
    this.deleter = new FinishedRunnerDeleter(kube, events, meters);
    this.pace = pace;
    this.clock = clock;
  }

  @Override
  public List<EventSource<?, AutoScalingRunnerSet>> prepareEventSources(
      EventSourceContext<AutoScalingRunnerSet> context) {
    sets = context.getPrimaryCache();
    var runners =
        InformerEventSourceConfiguration.from(EphemeralRunner.class, AutoScalingRunnerSet.class)
            .withName("finished-runners")
            .withLabelSelector(Labels.SET)
            .withOnAddFilter(runner -> false)
            .withOnUpdateFilter(Transitions::runnerOnUpdate)
            .withOnDeleteFilter((runner, unknown) -> false)
            .withSecondaryToPrimaryMapper(runner ->
                Set.of(
                    new ResourceID(
                        FinishedRunnerDeleter.setName(runner),
                        runner.getMetadata().getNamespace())));
    SlimRunners.storeFor(context.getControllerConfiguration()).ifPresent(runners::withItemStore);
    return List.of(new InformerEventSource<>(runners.build(), context));
  }

  /** The set of that name as the cache has it. */
  @Override
  public Optional<AutoScalingRunnerSet> of(String namespace, String name) {
    return sets == null ? Optional.empty() : sets.get(new ResourceID(name, namespace));
  }

  @Override
  public UpdateControl<AutoScalingRunnerSet> reconcile(
      AutoScalingRunnerSet set, Context<AutoScalingRunnerSet> context) {
    if (set.getMetadata().getDeletionTimestamp() != null || !Transitions.limitOnAdd(set)) {
      return UpdateControl.noUpdate();
    }
    var runners =
        context
            .getSecondaryResourcesAsStream(EphemeralRunner.class)
            .filter(runner -> Outcome.of(runner).isPresent())
            .filter(runner -> Ownership.isOf(runner, set, null))
            .toList();
    var now = clock.instant();
    var surplus = LimitPolicy.surplus(runners, set.getSpec().retention(), pending.uids(now));
    return delete(surplus, set)
        .map(wait -> UpdateControl.<AutoScalingRunnerSet>noUpdate().rescheduleAfter(wait))
        .orElseGet(UpdateControl::noUpdate);
  }

  /** In their order, as far as the pace allows; when to go on, if there are more. */
  private Optional<Duration> delete(List<LimitPolicy.Surplus> surplus, AutoScalingRunnerSet set) {
    boolean changed = false;
    for (var one : surplus) {
      var now = clock.instant();
      var place = pace.enter(one.runner().getMetadata().getUid(), now);
      if (place.isPresent()) {
        return Optional.of(TimerDelay.until(now, place.get()));
      }
      changed |= !delete(one, set, now);
    }
    return changed ? Optional.of(TtlCleanupReconciler.AFTER_CHANGE) : Optional.empty();
  }

  private boolean delete(LimitPolicy.Surplus one, AutoScalingRunnerSet set, Instant now) {
    try {
      var limit = FinishedRunnerDeleter.Reason.LIMIT;
      boolean deleted = deleter.delete(one.runner(), one.outcome(), limit, set);
      if (deleted) {
        pending.asked(one.runner().getMetadata().getUid(), now);
      }
      return deleted;
    } finally {
      pace.leave();
    }
  }
}
