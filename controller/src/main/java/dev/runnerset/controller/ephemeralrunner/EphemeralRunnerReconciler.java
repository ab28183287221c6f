package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.FinalizerPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.references.ResourceLookup;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler of one runner: gathers what is observed, has {@link RunnerLifecycle} or {@link
 * FinalizerPlanner} decide, and carries the decision out.
 */
@ControllerConfiguration(
    name = "ephemeralrunner",
    finalizerName = Labels.RUNNER_FINALIZER,
    generationAwareEventProcessing = false,
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 5, timeUnit = TimeUnit.MINUTES))
@GradualRetry(
    initialInterval = 1000,
    intervalMultiplier = 2,
    maxInterval = 60_000,
    maxAttempts = -1)
public final class EphemeralRunnerReconciler
    implements Reconciler<EphemeralRunner>, Cleaner<EphemeralRunner> {
  private final RunnerRemover remover;
  private final SharedWithSets shared;
  private final Clock clock;
  private final RunnerPods pods = new RunnerPods();
  private final RunnerMemories memories = new RunnerMemories();
  private final RunnerActions actions;
  private final RunnerFinalizer finalizer;

  /**
   * What the reconcilers of runners and of EphemeralRunnerSets tell each other.
   *
   * @param exits written here, read there
   * @param newRunners written there, read here
   * @param sets the EphemeralRunnerSets in the cache
   * @param trigger makes the other reconciler run
   * @param overdue written there, read here
   */
  public record SharedWithSets(
      RunnerExits exits,
      NewRunners newRunners,
      ResourceLookup<EphemeralRunnerSet> sets,
      ReconcileTrigger trigger,
      OverdueRegistrations overdue) {}

  /** The reconciler; {@code connections} and {@code remover} ask the service. */
  public EphemeralRunnerReconciler(
      RunnerObjects objects,
      RunnerConnections connections,
      RunnerRemover remover,
      SharedWithSets shared,
      Events events,
      Meters meters,
      Clock clock) {
    this.remover = remover;
    this.shared = shared;
    this.clock = clock;
    var ports = new RunnerActions.Ports(objects, events, memories, clock, meters);
    var start = new RunnerStart(connections, objects);
    this.actions = new RunnerActions(start, remover, shared.exits(), shared.trigger(), ports);
    this.finalizer = new RunnerFinalizer(actions, connections, ports);
  }

  @Override
  public List<EventSource<?, EphemeralRunner>> prepareEventSources(
      EventSourceContext<EphemeralRunner> context) {
    return List.of(pods.source(context), shared.overdue().wakeUps());
  }

  @Override
  public UpdateControl<EphemeralRunner> reconcile(
      EphemeralRunner runner, Context<EphemeralRunner> context) {
    var observed = gather(runner, context);
    var decision = RunnerLifecycle.decide(observed);
    var cache = pods.writes(context);
    var requeue = decision.requeue().or(observed.livePodUntil());
    for (var action : decision.actions()) {
      requeue = requeue.or(actions.apply(action, observed, cache));
    }
    return TimerDelay.until(clock.instant(), requeue)
        .map(delay -> UpdateControl.<EphemeralRunner>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  @Override
  public DeleteControl cleanup(EphemeralRunner runner, Context<EphemeralRunner> context) {
    return finalizer
        .apply(gather(runner, context), pods.writes(context))
        .map(at ->
            DeleteControl.noFinalizerRemoval()
                .rescheduleAfter(TimerDelay.until(clock.instant(), at)))
        .orElseGet(DeleteControl::defaultDelete);
  }

  private ObservedRunner gather(EphemeralRunner runner, Context<EphemeralRunner> context) {
    var now = clock.instant();
    var uid = runner.getMetadata().getUid();
    var memory =
        memories.begin(
            uid, () -> shared.newRunners().take(runner) ? RunnerMemory.NEW : RunnerMemory.NONE);
    forgetDeleted(now, context);
    var cached = pods.of(runner);
    if (cached != null && memory.livePod() != null) {
      memory = memories.update(uid, m -> m.withLivePod(null));
    }
    return new ObservedRunner(
        runner,
        cached == null ? memory.podReadLive(now) : cached,
        setOf(runner),
        memory.withRegistrationOverdue(shared.overdue().isOverdue(uid)),
        shared.exits().of(uid).orElse(null),
        id -> remover.isRemoved(uid, id),
        now);
  }

  private @Nullable EphemeralRunnerSet setOf(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    var name = labels == null ? null : labels.get(Labels.SET);
    return name == null
        ? null
        : shared.sets().of(runner.getMetadata().getNamespace(), name).orElse(null);
  }

  private void forgetDeleted(Instant now, Context<EphemeralRunner> context) {
    for (var uid : memories.sweep(now, () -> uids(context))) {
      shared.exits().forget(uid);
      shared.overdue().forget(uid);
      remover.forget(uid);
    }
  }

  private static Set<String> uids(Context<EphemeralRunner> context) {
    return context
        .getPrimaryCache()
        .list()
        .map(runner -> runner.getMetadata().getUid())
        .collect(Collectors.toSet());
  }
}
