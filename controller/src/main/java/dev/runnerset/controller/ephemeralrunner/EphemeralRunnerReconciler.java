package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.FinalizerPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.start.KubeRunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.references.RunnerSets;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
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
 * Looks at one runner, decides ({@link RunnerLifecycle}, {@link FinalizerPlanner}), carries it out.
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
  private final RunnerExits exits;
  private final RunnerRemover remover;
  private final NewRunners newRunners;
  private final RunnerSets sets;
  private final Clock clock;
  private final RunnerPods pods = new RunnerPods();
  private final RunnerMemories attempts = new RunnerMemories();
  private final RunnerActions actions;
  private final RunnerFinalizer farewell;

  /** Reconciles over single requests; {@code serialization} is that of the client behind them. */
  public EphemeralRunnerReconciler(
      KubeApi kube,
      KubernetesSerialization serialization,
      RunnerConnections connections,
      RunnerRemover remover,
      RunnerExits exits,
      NewRunners newRunners,
      RunnerSets sets,
      ReconcileTrigger wakeUp,
      Events events,
      Clock clock) {
    var objects = new KubeRunnerObjects(kube, serialization);
    var start = new RunnerStart(connections, objects);
    this.exits = exits;
    this.newRunners = newRunners;
    this.remover = remover;
    this.sets = sets;
    this.clock = clock;
    this.actions =
        new RunnerActions(start, objects, remover, exits, wakeUp, events, attempts, clock);
    this.farewell = new RunnerFinalizer(actions, connections, events, attempts, clock);
  }

  @Override
  public List<EventSource<?, EphemeralRunner>> prepareEventSources(
      EventSourceContext<EphemeralRunner> context) {
    return List.of(pods.source(context));
  }

  @Override
  public UpdateControl<EphemeralRunner> reconcile(
      EphemeralRunner runner, Context<EphemeralRunner> context) {
    var situation = gather(runner, context);
    var decision = RunnerLifecycle.decide(situation);
    var again = RequeueTime.at(decision.requeueAt()).or(situation.podSeenUntil()).at();
    for (var action : decision.actions()) {
      again =
          RequeueTime.at(again)
              .or(actions.apply(action, situation, pods.caches(runner, context)))
              .at();
    }
    return again == null
        ? UpdateControl.noUpdate()
        : UpdateControl.<EphemeralRunner>noUpdate()
            .rescheduleAfter(TimerDelay.until(clock.instant(), again));
  }

  @Override
  public DeleteControl cleanup(EphemeralRunner runner, Context<EphemeralRunner> context) {
    return farewell
        .apply(gather(runner, context), pods.caches(runner, context))
        .map(at ->
            DeleteControl.noFinalizerRemoval()
                .rescheduleAfter(TimerDelay.until(clock.instant(), at)))
        .orElseGet(DeleteControl::defaultDelete);
  }

  private ObservedRunner gather(EphemeralRunner runner, Context<EphemeralRunner> context) {
    var now = clock.instant();
    var uid = runner.getMetadata().getUid();
    var attempt =
        attempts.begin(uid, () -> newRunners.take(runner) ? RunnerMemory.NEW : RunnerMemory.NONE);
    forgetTheGone(now, context);
    var cached = pods.of(runner);
    if (cached != null && attempt.liveLook() != null) {
      attempt = attempts.update(uid, a -> a.looked(null));
    }
    return new ObservedRunner(
        runner,
        cached == null ? attempt.podSeenLive(now) : cached,
        setOf(runner),
        attempt,
        exits.of(uid).orElse(null),
        id -> remover.isRemoved(uid, id),
        now);
  }

  private @Nullable EphemeralRunnerSet setOf(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    var name = labels == null ? null : labels.get(Labels.SET);
    return name == null ? null : sets.of(runner.getMetadata().getNamespace(), name).orElse(null);
  }

  private void forgetTheGone(Instant now, Context<EphemeralRunner> context) {
    for (var uid : attempts.sweep(now, () -> uids(context))) {
      exits.forget(uid);
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
