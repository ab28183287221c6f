package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Pod;
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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The reconciler of one runner; {@link RunnerPass} does the work. */
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
  private final RunnerPass pass;
  private final OverdueRegistrations overdue;
  private final Clock clock;
  private final RunnerPods pods = new RunnerPods();

  /** The reconciler; {@code overdue} wakes runners that did not register in time. */
  public EphemeralRunnerReconciler(RunnerPass pass, OverdueRegistrations overdue, Clock clock) {
    this.pass = pass;
    this.overdue = overdue;
    this.clock = clock;
  }

  /** The pods of all runners, as the cache shows them; none before it is open. */
  public Stream<Pod> pods() {
    return pods.all();
  }

  @Override
  public List<EventSource<?, EphemeralRunner>> prepareEventSources(
      EventSourceContext<EphemeralRunner> context) {
    return List.of(pods.source(context), overdue.wakeUps());
  }

  @Override
  public UpdateControl<EphemeralRunner> reconcile(
      EphemeralRunner runner, Context<EphemeralRunner> context) {
    return TimerDelay.until(clock.instant(), pass.run(runner, pods.caches(context)))
        .map(delay -> UpdateControl.<EphemeralRunner>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  @Override
  public DeleteControl cleanup(EphemeralRunner runner, Context<EphemeralRunner> context) {
    return pass.runFinalizer(runner, pods.caches(context))
        .map(at ->
            DeleteControl.noFinalizerRemoval()
                .rescheduleAfter(TimerDelay.until(clock.instant(), at)))
        .orElseGet(DeleteControl::defaultDelete);
  }
}
