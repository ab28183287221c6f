package dev.runnerset.controller.runner;

import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.EphemeralRunnerSet;
import dev.runnerset.crd.Labels;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at one runner, decides ({@link RunnerLifecycle}, {@link Farewell}), carries it out. */
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
  private final SetTemplates templates;
  private final Clock clock;
  private final Attempts attempts = new Attempts();
  private final RunnerActions actions;
  private final RunnerFarewell farewell;
  private @Nullable InformerEventSource<Pod, EphemeralRunner> pods;

  /** Reconciles over single requests; {@code serialization} is that of the client behind them. */
  public EphemeralRunnerReconciler(
      KubeApi kube,
      KubernetesSerialization serialization,
      ServiceConnections connections,
      RunnerRemover remover,
      RunnerExits exits,
      SetTemplates templates,
      SetWakeUp wakeUp,
      Events events,
      Clock clock) {
    var objects = new KubeRunnerObjects(kube, serialization);
    var start = new RunnerStart(connections, objects, new LeftOvers(remover));
    this.exits = exits;
    this.remover = remover;
    this.templates = templates;
    this.clock = clock;
    this.actions =
        new RunnerActions(start, objects, remover, exits, wakeUp, events, attempts, clock);
    this.farewell = new RunnerFarewell(actions, connections, events, attempts, clock);
  }

  @Override
  public List<EventSource<?, EphemeralRunner>> prepareEventSources(
      EventSourceContext<EphemeralRunner> context) {
    var source =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Pod.class, EphemeralRunner.class)
                .withName("runner-pods")
                .withLabelSelector(Labels.COMPONENT + "=" + Labels.COMPONENT_RUNNER)
                .withOnUpdateFilter((now, before) -> !PodView.of(now).equals(PodView.of(before)))
                .build(),
            context);
    pods = source;
    return List.of(source);
  }

  @Override
  public UpdateControl<EphemeralRunner> reconcile(
      EphemeralRunner runner, Context<EphemeralRunner> context) {
    var situation = gather(runner, context);
    var decision = RunnerLifecycle.decide(situation);
    var again = decision.lookAgainAt();
    for (var action : decision.actions()) {
      again = earlier(again, actions.apply(action, situation, new ContextCaches(runner, context)));
    }
    return again == null
        ? UpdateControl.noUpdate()
        : UpdateControl.<EphemeralRunner>noUpdate().rescheduleAfter(until(again));
  }

  @Override
  public DeleteControl cleanup(EphemeralRunner runner, Context<EphemeralRunner> context) {
    return farewell
        .apply(gather(runner, context))
        .map(at -> DeleteControl.noFinalizerRemoval().rescheduleAfter(until(at)))
        .orElseGet(DeleteControl::defaultDelete);
  }

  private Situation gather(EphemeralRunner runner, Context<EphemeralRunner> context) {
    var now = clock.instant();
    var uid = runner.getMetadata().getUid();
    var attempt = attempts.update(uid, known -> known);
    forgetTheGone(now, context);
    return new Situation(
        runner,
        podOf(runner),
        setOf(runner),
        attempt,
        exits.of(uid).orElse(null),
        remover.isRemoved(uid),
        now);
  }

  private @Nullable PodView podOf(EphemeralRunner runner) {
    return pods == null
        ? null
        : pods.get(ResourceID.fromResource(runner))
            .map(PodView::of)
            .filter(pod -> pod.ownerUid().equals(runner.getMetadata().getUid()))
            .orElse(null);
  }

  private @Nullable EphemeralRunnerSet setOf(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    var name = labels == null ? null : labels.get(Labels.SET);
    return name == null
        ? null
        : templates.of(runner.getMetadata().getNamespace(), name).orElse(null);
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

  private Duration until(Instant at) {
    var wait = Duration.between(clock.instant(), at);
    return wait.isPositive() ? wait : Duration.ofMillis(1);
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }

  /** Our writes are seen by the next look, even if their events come later. */
  private final class ContextCaches implements RunnerActions.Caches {
    private final EphemeralRunner runner;
    private final Context<EphemeralRunner> context;

    ContextCaches(EphemeralRunner runner, Context<EphemeralRunner> context) {
      this.runner = runner;
      this.context = context;
    }

    @Override
    public void podSeen(Pod pod) {
      if (pods != null) {
        pods.handleRecentResourceCreate(ResourceID.fromResource(pod), pod);
      }
    }

    @Override
    public void runnerSeen(EphemeralRunner stored) {
      context
          .eventSourceRetriever()
          .getControllerEventSource()
          .handleRecentResourceUpdate(ResourceID.fromResource(runner), stored, runner);
    }
  }
}
