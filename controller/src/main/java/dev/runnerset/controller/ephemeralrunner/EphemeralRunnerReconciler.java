package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.Detail;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.InformerWriteCache;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.PrimaryUpdateAndCacheUtils;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler of one runner; {@link RunnerPass} does the work. The framework does not manage the
 * finalizer: it would put it on a standalone runner that made nothing yet (RN11).
 */
@ControllerConfiguration(
    name = "ephemeralrunner",
    finalizerName = Labels.RUNNER_FINALIZER,
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true,
    informer = @Informer(informerListLimit = KubeApi.PAGE),
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 5, timeUnit = TimeUnit.MINUTES))
@GradualRetry(
    initialInterval = 1000,
    intervalMultiplier = 2,
    maxInterval = 60_000,
    maxAttempts = -1)
public final class EphemeralRunnerReconciler implements Reconciler<EphemeralRunner> {
  /** Until the cache shows the finalizer that was put on. */
  @Detail private static final Duration AFTER_FINALIZER = Duration.ofMillis(200);

  /** Until a runner of another controller's set is reconciled again. */
  @Detail private static final Duration WHILE_ANOTHERS = Duration.ofSeconds(15);

  private final RunnerPass pass;
  private final RunnerCache runners;
  private final Clock clock;
  private final Predicate<SetKey> anothers;
  private final KubeApi kube;
  private final Events events;
  private final FailedPasses failures = new FailedPasses();

  /** The uids of runners without our finalizer, of which the cache may not know yet. */
  private final Set<String> released = ConcurrentHashMap.newKeySet();

  private volatile @Nullable InformerEventSource<Pod, EphemeralRunner> pods;

  /**
   * The reconciler.
   *
   * @param kube writes the condition of passes that fail
   * @param events report a runner that was not read whole
   * @param runners opened by this reconciler
   * @param anothers whether the set of that name belongs to another controller
   */
  public EphemeralRunnerReconciler(
      RunnerPass pass,
      KubeApi kube,
      Events events,
      RunnerCache runners,
      Clock clock,
      Predicate<SetKey> anothers) {
    this.kube = kube;
    this.events = events;
    this.anothers = anothers;
    this.pass = pass;
    this.runners = runners;
    this.clock = clock;
  }

  /** The pods of all runners, as the cache shows them; none before it is open. */
  public Stream<Pod> pods() {
    var source = pods;
    return source == null ? Stream.empty() : source.list();
  }

  /** The pod of the runner's name, as the cache shows it; empty before the cache is open. */
  public Optional<Pod> podNamed(EphemeralRunner runner) {
    var source = pods;
    return source == null ? Optional.empty() : source.get(ResourceID.fromResource(runner));
  }

  @Override
  public List<EventSource<?, EphemeralRunner>> prepareEventSources(
      EventSourceContext<EphemeralRunner> context) {
    runners.open(context);
    var source =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Pod.class, EphemeralRunner.class)
                .withName("runner-pods")
                .withLabelSelector(Labels.COMPONENT + "=" + Labels.COMPONENT_RUNNER)
                .withInformerListLimit(KubeApi.PAGE)
                // it bears its runner's name, also when somebody took its owner off
                .withSecondaryToPrimaryMapper(pod -> Set.of(ResourceID.fromResource(pod)))
                .withOnUpdateFilter(EphemeralRunnerReconciler::isNews)
                .build(),
            context);
    pods = source;
    return List.of(source, runners);
  }

  /** Whether a change of a pod can change a decision. */
  static boolean isNews(Pod now, Pod before) {
    return !PodView.of(now).equals(PodView.of(before));
  }

  @Override
  public UpdateControl<EphemeralRunner> reconcile(
      EphemeralRunner runner, Context<EphemeralRunner> context) {
    if (context.isPrimaryResourceDeleted()) {
      released.remove(runner.getMetadata().getUid());
      return UpdateControl.noUpdate();
    }
    if (isAnothers(runner)) {
      return UpdateControl.<EphemeralRunner>noUpdate().rescheduleAfter(WHILE_ANOTHERS);
    }
    var conditions = runner.statusOrNone().conditions();
    if (FailedPasses.refuses(kube, events, runner, conditions, clock.instant())) {
      return UpdateControl.noUpdate();
    }
    var again =
        failures.run(kube, runner, conditions, clock, () -> pass(runner, context), words -> {});
    return TimerDelay.until(clock.instant(), again)
        .map(delay -> UpdateControl.<EphemeralRunner>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  private RequeueTime pass(EphemeralRunner runner, Context<EphemeralRunner> context) {
    boolean held = runner.hasFinalizer(Labels.RUNNER_FINALIZER);
    if (runner.isMarkedForDeletion()) {
      return held && !released.contains(runner.getMetadata().getUid())
          ? pass.run(runner, new Caches(context))
          : RequeueTime.NEVER;
    }
    if (!held && RunnerPass.mayHaveMadeSomething(runner)) {
      var _ = PrimaryUpdateAndCacheUtils.addFinalizer(context, Labels.RUNNER_FINALIZER);
      return RequeueTime.at(clock.instant().plus(AFTER_FINALIZER));
    }
    return pass.run(runner, new Caches(context));
  }

  /** The caches of one reconciliation. */
  private final class Caches implements RunnerCaches {
    private final WriteCache writes;

    Caches(Context<EphemeralRunner> context) {
      var source = pods;
      var runners = context.eventSourceRetriever().getControllerEventSource();
      writes =
          source == null
              ? new InformerWriteCache(runners)
              : new InformerWriteCache(runners, source);
    }

    @Override
    public Optional<Pod> podNamed(EphemeralRunner runner) {
      return EphemeralRunnerReconciler.this.podNamed(runner);
    }

    @Override
    public WriteCache writes() {
      return writes;
    }

    @Override
    public void removeFinalizer(EphemeralRunner runner) {
      new FinalizerRemoval(kube).from(runner);
      released.add(runner.getMetadata().getUid());
    }
  }

  private boolean isAnothers(EphemeralRunner runner) {
    return Ownership.setName(runner)
        .filter(name -> anothers.test(new SetKey(runner.getMetadata().getNamespace(), name)))
        .isPresent();
  }
}
