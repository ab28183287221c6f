package dev.runnerset.controller.retention;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.ResourceLookup;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.controller.retention.rules.CleanupEvents;
import dev.runnerset.controller.retention.rules.RunnerOutcome;
import dev.runnerset.controller.retention.rules.TtlPolicy;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.kube.KubeApi;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnAddFilter;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Deletes finished runners when their time is over (RT6, RT7), apart from the main reconcilers and
 * from the limits. It is no Cleaner, since it must block no deletion. Each reconciliation computes
 * the remaining time again, since a timer that fires proves nothing.
 */
@ControllerConfiguration(
    name = "ephemeralrunner-ttl-cleanup-controller",
    generationAwareEventProcessing = false, // the end of a runner is a change of its status
    maxReconciliationInterval = @MaxReconciliationInterval(interval = 1),
    informer =
        @Informer(
            onAddFilter = TtlCleanupReconciler.Added.class,
            onUpdateFilter = TtlCleanupReconciler.Updated.class))
@GradualRetry(
    initialInterval = 1000,
    intervalMultiplier = 2,
    maxInterval = 60_000,
    maxAttempts = -1)
public final class TtlCleanupReconciler implements Reconciler<EphemeralRunner> {
  private final FinishedRunnerDeleter deleter;
  private final DeletePace pace;
  private final Predicate<SetKey> anothers;
  private final ResourceLookup<AutoScalingRunnerSet> sets;
  private final Events events;
  private final Clock clock;
  private final FailedPasses failures = new FailedPasses();

  /** The reconciler; it looks up {@code sets} only for runners whose time is over. */
  public TtlCleanupReconciler(
      KubeApi kube,
      ResourceLookup<AutoScalingRunnerSet> sets,
      Events events,
      Meters meters,
      Clock clock,
      Predicate<SetKey> anothers) {
    this(kube, sets, events, meters, clock, new DeletePace(), anothers);
  }

  TtlCleanupReconciler(
      KubeApi kube,
      ResourceLookup<AutoScalingRunnerSet> sets,
      Events events,
      Meters meters,
      Clock clock,
      DeletePace pace,
      Predicate<SetKey> anothers) {
    this.anothers = anothers;
    this.deleter = new FinishedRunnerDeleter(kube, events, meters);
    this.pace = pace;
    this.events = events;
    this.sets = sets;
    this.clock = clock;
  }

  /** The configuration with a cache of slim runners. */
  public static Consumer<ControllerConfigurationOverrider<EphemeralRunner>> slim(
      Consumer<ControllerConfigurationOverrider<EphemeralRunner>> configuration) {
    return configuration.andThen(
        overrider -> SlimRunners.storeFor(overrider.build()).ifPresent(overrider::withItemStore));
  }

  @Override
  public UpdateControl<EphemeralRunner> reconcile(
      EphemeralRunner runner, Context<EphemeralRunner> context) {
    return failures.run(runner, events, () -> decide(runner));
  }

  private UpdateControl<EphemeralRunner> decide(EphemeralRunner runner) {
    var now = clock.instant();
    return switch (TtlPolicy.decide(runner, now)) {
      case TtlPolicy.Decision.Stays() -> UpdateControl.noUpdate();
      case TtlPolicy.Decision.Remains(var remaining) -> again(remaining);
      case TtlPolicy.Decision.Expired(var outcome) -> expired(runner, outcome, now);
    };
  }

  private UpdateControl<EphemeralRunner> expired(
      EphemeralRunner runner, RunnerOutcome outcome, Instant now) {
    var set = setOf(runner);
    if (set != null && set.getMetadata().getDeletionTimestamp() != null) {
      return UpdateControl
          .noUpdate(); // the deletion of the set deletes its runners in its own order
    }
    if (set != null && anothers.test(SetKey.of(set))) {
      return again(LimitCleanupReconciler.OF_ANOTHER);
    }
    var place = pace.enter(runner.getMetadata().getUid(), now);
    if (place.isPresent()) {
      return again(Duration.between(now, place.get()));
    }
    try {
      return switch (deleter.delete(runner, outcome, DeletedFor.TTL, set)) {
        case DELETED -> UpdateControl.noUpdate();
        case CHANGED -> again(FinishedRunnerDeleter.AFTER_CHANGE);
        case REFUSED -> again(FinishedRunnerDeleter.AFTER_REFUSAL);
      };
    } finally {
      pace.leave();
    }
  }

  /** The set that owns the runner; not by label, which anybody can write. */
  private @Nullable AutoScalingRunnerSet setOf(EphemeralRunner runner) {
    return Ownership.setName(runner)
        .flatMap(name -> sets.of(runner.getMetadata().getNamespace(), name))
        .filter(set -> Ownership.isOf(runner, set, null))
        .orElse(null);
  }

  private static UpdateControl<EphemeralRunner> again(Duration after) {
    return UpdateControl.<EphemeralRunner>noUpdate().rescheduleAfter(TimerDelay.of(after));
  }

  /** Filters objects that appear; the framework makes it. */
  static final class Added implements OnAddFilter<EphemeralRunner> {
    @Override
    public boolean accept(EphemeralRunner added) {
      return CleanupEvents.ttlOnAdd(added);
    }
  }

  /** Filters objects that change; the framework makes it. */
  static final class Updated implements OnUpdateFilter<EphemeralRunner> {
    @Override
    public boolean accept(EphemeralRunner now, EphemeralRunner before) {
      return CleanupEvents.ttlOnUpdate(now, before);
    }
  }
}
