package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.InformerWriteCache;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.OverdueRegistrations;
import dev.runnerset.controller.ephemeralrunner.ReconcileTrigger;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartDeadlines;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.gc.CollectionLedger;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Keeps as many runners as {@code spec.replicas} says; {@link ReplicasPass} does the work. */
@ControllerConfiguration(
    name = "ephemeralrunnerset",
    generationAwareEventProcessing = false,
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 2, timeUnit = TimeUnit.MINUTES))
@GradualRetry(initialInterval = 500, maxInterval = 20_000, maxAttempts = Integer.MAX_VALUE)
public final class EphemeralRunnerSetReconciler
    implements Reconciler<EphemeralRunnerSet>, ReconcileTrigger {
  private final Clock clock;
  private final RunnerGathering gathering;
  private final StatusStep statusStep;
  private final ReplicasActions actions;
  private final ReplicasPass pass;
  private final RunnerSeries series;
  private final CollectionLedger ledger;
  private final CountsReader countsReader;
  private final OverdueRegistrations overdue;
  private final InformerCaches caches;
  private final SimpleInboundEventSource<EphemeralRunnerSet> wakeUps =
      new SimpleInboundEventSource<>("wake-ups");

  /**
   * What a reconciler acts with.
   *
   * @param threads one thread for each request, as virtual ones
   */
  public record Environment(
      KubeApi kube, ExecutorService threads, Meters meters, Clock clock, RandomGenerator random) {}

  /**
   * What the reconcilers of runners and sets and the sweeps tell each other in this process.
   *
   * @param exits ends of containers
   * @param newRunners the runners that this process makes
   * @param ledger what the sweeps of age collection did
   * @param connections to the service
   * @param overdue runners that did not register in time
   */
  public record Shared(
      RunnerExits exits,
      NewRunners newRunners,
      CollectionLedger ledger,
      RunnerConnections connections,
      OverdueRegistrations overdue) {}

  /**
   * The reconciler.
   *
   * @param caches filled by this reconciler
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   * @param embedded what the status says of the runners
   */
  public EphemeralRunnerSetReconciler(
      Environment environment,
      InformerCaches caches,
      ServiceRunnerRemover remover,
      Shared shared,
      Duration protectionWindow,
      EmbeddedStatus embedded) {
    this.caches = caches;
    this.clock = environment.clock();
    this.gathering = new RunnerGathering(shared.exits(), shared.ledger(), protectionWindow);
    this.statusStep = new StatusStep(environment.kube(), embedded);
    this.actions =
        new ReplicasActions(environment, remover, shared.newRunners(), gathering, caches, this);
    this.pass = new ReplicasPass(gathering, actions);
    this.ledger = shared.ledger();
    this.series = new RunnerSeries(environment.meters(), clock.instant());
    this.overdue = shared.overdue();
    this.countsReader =
        new CountsReader(shared.connections(), environment.threads(), this, environment.clock());
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
  public void trigger(String namespace, String name) {
    wakeUps.propagateEvent(new ResourceID(name, namespace));
  }

  @Override
  public UpdateControl<EphemeralRunnerSet> reconcile(
      EphemeralRunnerSet set, Context<EphemeralRunnerSet> context) {
    var now = clock.instant();
    var memory = caches.memory(set);
    var done = pass.run(set, context.getSecondaryResources(EphemeralRunner.class), memory, now);
    series.look(set, done.observed());
    var cache = new InformerWriteCache(context.eventSourceRetriever().getControllerEventSource());
    var status = statusStep.write(set, done, memory, cache, now);
    var requeue = done.plan().requeue().or(status).or(watchRegistration(set, done, memory, now));
    return TimerDelay.until(clock.instant(), requeue)
        .map(delay -> UpdateControl.<EphemeralRunnerSet>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  /**
   * Has the service's counts read while runners are not known to be registered or jobs wait beside
   * idle ones, and the runners ended that do not register in time (RN7, RN16, RN19).
   */
  private RequeueTime watchRegistration(
      EphemeralRunnerSet set, ReplicasPass.Result done, SetMemory memory, Instant now) {
    var observed = done.observed();
    var missing = RegisteredRunners.missing(observed.views());
    var deadline = StartDeadlines.of(set.getSpec()).registration();
    var sinceByUid = memory.counts().missingSince();
    overdue.judge(
        observed.byUid().keySet(),
        RegistrationCondition.overdue(
                RegistrationCondition.told(observed.views(), sinceByUid, observed.counts(), now),
                deadline,
                now)
            .map(runner -> Objects.requireNonNull(observed.byUid().get(runner.uid())))
            .toList());
    var counts = observed.counts();
    var strand = memory.counts().strand();
    boolean trouble = strand != null || (counts != null && counts.offline() > 0);
    var next = memory.counts().nextRead(counts, trouble);
    var one =
        Stream.concat(missing.stream(), observed.views().stream())
            .filter(runner -> !runner.ofAnotherScaleSet())
            .findFirst();
    if (one.isPresent() && next.toOptional().filter(at -> !at.isAfter(now)).isPresent()) {
      var runner = Objects.requireNonNull(observed.byUid().get(one.get().uid()));
      countsReader.begin(set.getMetadata().getName(), runner, memory.counts());
      return RequeueTime.NEVER; // its end triggers a reconcile
    }
    return next.or(RegistrationCondition.changes(sinceByUid, deadline, now))
        .or(StrandCondition.changes(strand, now));
  }

  /** The runners of all sets for the sweeps of age collection. */
  public SetRunners swept() {
    return new CachedSetRunners(gathering, actions, caches, ledger);
  }
}
