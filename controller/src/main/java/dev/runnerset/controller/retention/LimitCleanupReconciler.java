package dev.runnerset.controller.retention;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.ResourceLookup;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.controller.retention.rules.CleanupEvents;
import dev.runnerset.controller.retention.rules.LimitPolicy;
import dev.runnerset.controller.retention.rules.RunnerOutcome;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
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
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the oldest finished runners of a set beyond its limits (RT8, RT9), apart from the main
 * reconcilers and from the times. It is no Cleaner, since it must block no deletion; the framework
 * shows it no set that is being deleted.
 */
@ControllerConfiguration(
    name = "runnerset-limit-cleanup-controller",
    generationAwareEventProcessing = false,
    maxReconciliationInterval = @MaxReconciliationInterval(interval = 1),
    informer = @Informer(onUpdateFilter = LimitCleanupReconciler.Updated.class))
@GradualRetry(
    initialInterval = 1000,
    intervalMultiplier = 2,
    maxInterval = 60_000,
    maxAttempts = -1)
public final class LimitCleanupReconciler
    implements Reconciler<AutoScalingRunnerSet>, ResourceLookup<AutoScalingRunnerSet> {
  /** When a set of another controller is looked at again. */
  static final Duration OF_ANOTHER = Duration.ofMinutes(1);

  private final SurplusDeletion deletion;
  private final Predicate<SetKey> anothers;
  private final Events events;
  private final Clock clock;
  private final FailedPasses failures = new FailedPasses();
  private @Nullable IndexedResourceCache<AutoScalingRunnerSet> sets;

  /** The reconciler; {@code anothers} says which sets belong to another controller. */
  public LimitCleanupReconciler(
      KubeApi kube, Events events, Meters meters, Clock clock, Predicate<SetKey> anothers) {
    this(kube, events, meters, clock, new DeletePace(), anothers);
  }

  LimitCleanupReconciler(
      KubeApi kube,
      Events events,
      Meters meters,
      Clock clock,
      DeletePace pace,
      Predicate<SetKey> anothers) {
    this.anothers = anothers;
    this.events = events;
    var deleter = new FinishedRunnerDeleter(kube, events, meters);
    this.deletion = new SurplusDeletion(deleter, pace, clock);
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
            .withOnUpdateFilter(CleanupEvents::runnerOnUpdate)
            .withOnDeleteFilter((runner, unknown) -> false)
            .withSecondaryToPrimaryMapper(LimitCleanupReconciler::setOf);
    SlimRunners.storeFor(context.getControllerConfiguration()).ifPresent(runners::withItemStore);
    return List.of(new InformerEventSource<>(runners.build(), context));
  }

  /**
   * Finds the set by label, as children are listed (RT9); ownership is checked before a deletion.
   */
  private static Set<ResourceID> setOf(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    return Set.of(new ResourceID(meta.getLabels().get(Labels.SET), meta.getNamespace()));
  }

  /** The set of that name as the cache has it. */
  @Override
  public Optional<AutoScalingRunnerSet> of(String namespace, String name) {
    return sets == null ? Optional.empty() : sets.get(new ResourceID(name, namespace));
  }

  @Override
  public UpdateControl<AutoScalingRunnerSet> reconcile(
      AutoScalingRunnerSet set, Context<AutoScalingRunnerSet> context) {
    if (anothers.test(SetKey.of(set))) {
      return UpdateControl.<AutoScalingRunnerSet>noUpdate().rescheduleAfter(OF_ANOTHER);
    }
    return failures.run(set, events, () -> decide(set, context));
  }

  private UpdateControl<AutoScalingRunnerSet> decide(
      AutoScalingRunnerSet set, Context<AutoScalingRunnerSet> context) {
    var runners =
        context
            .getSecondaryResourcesAsStream(EphemeralRunner.class)
            .filter(runner -> RunnerOutcome.of(runner).isPresent())
            .filter(runner -> Ownership.isOf(runner, set, null))
            .toList();
    var surplus = LimitPolicy.surplus(runners, set.getSpec().retention(), deletion.pending());
    var requeue = deletion.delete(surplus, set);
    return TimerDelay.until(clock.instant(), requeue)
        .map(delay -> UpdateControl.<AutoScalingRunnerSet>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  /** Filters objects that change; the framework makes it. */
  static final class Updated implements OnUpdateFilter<AutoScalingRunnerSet> {
    @Override
    public boolean accept(AutoScalingRunnerSet now, AutoScalingRunnerSet before) {
      return CleanupEvents.limitOnUpdate(now, before);
    }
  }
}
