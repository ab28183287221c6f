package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.ephemeralrunner.ReconcileTrigger;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.gc.CollectionLedger;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.gc.SetRunners;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Keeps as many runners as {@code spec.replicas} says: gather, {@link ReplicasPlanner}, apply. */
@ControllerConfiguration(
    name = "ephemeralrunnerset",
    generationAwareEventProcessing = false,
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 2, timeUnit = TimeUnit.MINUTES))
@GradualRetry(initialInterval = 500, maxInterval = 60_000, maxAttempts = Integer.MAX_VALUE)
public final class EphemeralRunnerSetReconciler
    implements Reconciler<EphemeralRunnerSet>, ReconcileTrigger {
  private static final Duration HELD_PLACES = Duration.ofSeconds(1);

  private final Clock clock;
  private final CollectionLedger ledger;
  private final RunnerGathering gathering;
  private final StatusStep statusStep;
  private final ReplicasActions actions;
  private final InformerCaches caches;
  private final SurplusNow surplusNow;
  private final SimpleInboundEventSource<EphemeralRunnerSet> wakeUps =
      new SimpleInboundEventSource<>("wake-ups");

  /**
   * The reconciler.
   *
   * @param caches filled by this reconciler
   * @param threads one thread a request, as virtual ones
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   */
  public EphemeralRunnerSetReconciler(
      KubeApi kube,
      InformerCaches caches,
      ServiceRunnerRemover remover,
      RunnerExits exits,
      NewRunners newRunners,
      ExecutorService threads,
      Meters meters,
      CollectionLedger ledger,
      Clock clock,
      RandomGenerator random,
      Duration protectionWindow,
      EmbeddedStatus embedded) {
    this.caches = caches;
    this.surplusNow = new SurplusNow(caches);
    this.clock = clock;
    this.ledger = ledger;
    this.gathering = new RunnerGathering(exits, ledger, protectionWindow);
    this.statusStep = new StatusStep(kube, embedded);
    this.actions =
        new ReplicasActions(kube, remover, threads, meters, clock, random, newRunners, this);
  }

  @Override
  public List<EventSource<?, EphemeralRunnerSet>> prepareEventSources(
      EventSourceContext<EphemeralRunnerSet> context) {
    var runners =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(EphemeralRunner.class, EphemeralRunnerSet.class)
                .withName("runners")
                .withLabelSelector(Labels.SET)
                .withSecondaryToPrimaryMapper(runner ->
                    Set.of(
                        new ResourceID(
                            runner.getMetadata().getLabels().get(Labels.SET),
                            runner.getMetadata().getNamespace())))
                .build(),
            context);
    caches.open(context.getPrimaryCache(), runners);
    return List.of(runners, wakeUps);
  }

  @Override
  public void wake(String namespace, String name) {
    wakeUps.propagateEvent(new ResourceID(name, namespace));
  }

  @Override
  public UpdateControl<EphemeralRunnerSet> reconcile(
      EphemeralRunnerSet set, Context<EphemeralRunnerSet> context) {
    var now = clock.instant();
    var memory = caches.memory(set);
    long passes = memory.passes();
    memory.revision(set.getSpec().revision());
    var observed =
        gathering.observe(set, context.getSecondaryResources(EphemeralRunner.class), memory, now);
    var input = gathering.input(set, observed, memory);
    var plan = ReplicasPlanner.plan(input, now);
    apply(set, observed, memory, passes, input, plan);
    var cache = context.eventSourceRetriever().getControllerEventSource();
    var status =
        statusStep.write(
            set,
            observed,
            memory,
            input,
            plan,
            (before, after) ->
                cache.handleRecentResourceUpdate(ResourceID.fromResource(after), after, before),
            now);
    return next(
        plan.requeueAt(),
        RequeueTime.at(status).or(heldUntil(set, plan, now)).at(),
        clock.instant());
  }

  /** Places that are to stay empty are held until the target says so: then there is no event. */
  private @Nullable Instant heldUntil(EphemeralRunnerSet set, ReplicasPlan plan, Instant now) {
    boolean waits = plan.create() > 0 && placesHeld(set) > 0;
    return waits ? now.plus(HELD_PLACES) : null;
  }

  private int placesHeld(EphemeralRunnerSet set) {
    var meta = set.getMetadata();
    return ledger.placesHeld(SetKey.of(set), meta.getUid(), meta.getGeneration());
  }

  /** The runners of all sets for the sweeps of age collection. */
  public SetRunners swept() {
    return new CachedSetRunners(gathering, actions, caches, clock);
  }

  private void apply(
      EphemeralRunnerSet set,
      ObservedRunners observed,
      SetMemory memory,
      long passes,
      ReplicasInput input,
      ReplicasPlan plan) {
    memory.surplusSince(plan.surplusSince());
    actions.deleteFinished(plan.finished(), observed.byUid(), memory);
    if (plan.removal() != null) {
      var removal = plan.removal();
      actions.startPass(
          set,
          removal,
          new CandidateRecheck(set, removal.reason(), gathering, caches, clock),
          memory,
          passes,
          () -> surplusNow.of(set, removal, input.replicas()));
    }
    int demanded = Provisioning.demanded(input.demand(), plan.counts().live());
    int held = placesHeld(set);
    int create = Math.max(0, plan.create() - held);
    actions.create(set, new Provisioning(create, demanded), memory, caches::remember);
  }

  private static UpdateControl<EphemeralRunnerSet> next(
      @Nullable Instant plan, @Nullable Instant status, Instant now) {
    var at = RequeueTime.at(plan).or(status).at();
    if (at == null) {
      return UpdateControl.noUpdate();
    }
    return UpdateControl.<EphemeralRunnerSet>noUpdate().rescheduleAfter(TimerDelay.until(now, at));
  }
}
