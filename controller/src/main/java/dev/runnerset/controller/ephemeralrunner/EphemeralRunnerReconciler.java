package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.PrimaryUpdateAndCacheUtils;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The reconciler of one runner; {@link RunnerPass} does the work. The framework does not manage the
 * finalizer: it would put it on a standalone runner that made nothing yet (RN11).
 */
@ControllerConfiguration(
    name = "ephemeralrunner",
    finalizerName = Labels.RUNNER_FINALIZER,
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true,
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 5, timeUnit = TimeUnit.MINUTES))
@GradualRetry(
    initialInterval = 1000,
    intervalMultiplier = 2,
    maxInterval = 60_000,
    maxAttempts = -1)
public final class EphemeralRunnerReconciler implements Reconciler<EphemeralRunner> {
  /** Until the cache shows the finalizer that was put on. */
  private static final Duration AFTER_FINALIZER = Duration.ofMillis(200);

  /** Until a runner of another controller's set is reconciled again. */
  private static final Duration WHILE_ANOTHERS = Duration.ofSeconds(15);

  private final RunnerPass pass;
  private final RunnerCache runners;
  private final Clock clock;
  private final Predicate<SetKey> anothers;
  private final RunnerPods pods = new RunnerPods();
  private final KubeApi kube;
  private final FailedPasses failures = new FailedPasses();

  /** The uids of runners without our finalizer, of which the cache may not know yet. */
  private final Set<String> released = ConcurrentHashMap.newKeySet();

  /**
   * The reconciler.
   *
   * @param kube writes the condition of passes that fail
   * @param runners opened by this reconciler
   * @param anothers whether the set of that name belongs to another controller
   */
  public EphemeralRunnerReconciler(
      RunnerPass pass, KubeApi kube, RunnerCache runners, Clock clock, Predicate<SetKey> anothers) {
    this.kube = kube;
    this.anothers = anothers;
    this.pass = pass;
    this.runners = runners;
    this.clock = clock;
  }

  /** The pods of all runners, as the cache shows them; none before it is open. */
  public Stream<Pod> pods() {
    return pods.all();
  }

  @Override
  public List<EventSource<?, EphemeralRunner>> prepareEventSources(
      EventSourceContext<EphemeralRunner> context) {
    runners.open(context);
    return List.of(pods.source(context), runners);
  }

  @Override
  public UpdateControl<EphemeralRunner> reconcile(
      EphemeralRunner runner, Context<EphemeralRunner> context) {
    var uid = runner.getMetadata().getUid();
    if (context.isPrimaryResourceDeleted()) {
      released.remove(uid);
      return UpdateControl.noUpdate();
    }
    if (isAnothers(runner)) {
      return UpdateControl.<EphemeralRunner>noUpdate().rescheduleAfter(WHILE_ANOTHERS);
    }
    var again =
        failures.run(
            kube,
            runner,
            runner.statusOrNone().conditions(),
            clock,
            () -> runner.isMarkedForDeletion() ? finish(runner, context) : goOn(runner, context));
    return TimerDelay.until(clock.instant(), again)
        .map(delay -> UpdateControl.<EphemeralRunner>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  private RequeueTime goOn(EphemeralRunner runner, Context<EphemeralRunner> context) {
    if (!runner.hasFinalizer(Labels.RUNNER_FINALIZER) && RunnerPass.mayHaveMadeSomething(runner)) {
      var _ = PrimaryUpdateAndCacheUtils.addFinalizer(context, Labels.RUNNER_FINALIZER);
      return RequeueTime.at(clock.instant().plus(AFTER_FINALIZER));
    }
    return pass.run(runner, pods.caches(context));
  }

  private RequeueTime finish(EphemeralRunner runner, Context<EphemeralRunner> context) {
    var uid = runner.getMetadata().getUid();
    if (!runner.hasFinalizer(Labels.RUNNER_FINALIZER) || released.contains(uid)) {
      return RequeueTime.NEVER;
    }
    var again = pass.runFinalizer(runner, pods.caches(context));
    if (again.isEmpty()) {
      var _ = PrimaryUpdateAndCacheUtils.removeFinalizer(context, Labels.RUNNER_FINALIZER);
      released.add(uid);
    }
    return again.map(RequeueTime::at).orElse(RequeueTime.NEVER);
  }

  private boolean isAnothers(EphemeralRunner runner) {
    return Ownership.setName(runner)
        .filter(name -> anothers.test(new SetKey(runner.getMetadata().getNamespace(), name)))
        .isPresent();
  }
}
