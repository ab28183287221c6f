package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.caches.InformerWriteCache;
import dev.runnerset.controller.ephemeralrunner.ReconcileTrigger;
import dev.runnerset.controller.gc.AgeSweep;
import dev.runnerset.controller.gc.AgeSweeps;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Keeps as many runners as {@code spec.replicas} says; {@link EphemeralRunnerSetPass} does the
 * work.
 */
@ControllerConfiguration(
    name = "ephemeralrunnerset",
    generationAwareEventProcessing = false,
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 2, timeUnit = TimeUnit.MINUTES))
@GradualRetry(initialInterval = 500, maxInterval = 20_000, maxAttempts = Integer.MAX_VALUE)
public final class EphemeralRunnerSetReconciler
    implements Reconciler<EphemeralRunnerSet>, ReconcileTrigger, AgeSweeps {
  /** When a set of another controller is looked at again. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

  private final Clock clock;
  private final KubeApi kube;
  private final FailedPasses failures = new FailedPasses();
  private final EphemeralRunnerSetPass pass;
  private final InformerCaches caches;
  private final Consumer<SetKey> emptied;
  private final Predicate<SetKey> anothers;
  private final SimpleInboundEventSource<EphemeralRunnerSet> wakeUps =
      new SimpleInboundEventSource<>("wake-ups");

  /**
   * The reconciler.
   *
   * @param caches filled by this reconciler
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   * @param embedded what the status says of the runners
   * @param anothers whether the set of that name belongs to another controller
   */
  public EphemeralRunnerSetReconciler(
      EphemeralRunnerSetPass.Environment environment,
      InformerCaches caches,
      ServiceRunnerRemover remover,
      EphemeralRunnerSetPass.Shared shared,
      Duration protectionWindow,
      EmbeddedStatus embedded,
      Predicate<SetKey> anothers) {
    this.caches = caches;
    this.anothers = anothers;
    this.emptied = shared.emptied();
    this.clock = environment.clock();
    this.kube = environment.kube();
    this.pass =
        new EphemeralRunnerSetPass(
            environment, caches, remover, shared, protectionWindow, embedded, this);
  }

  @Override
  public List<EventSource<?, EphemeralRunnerSet>> prepareEventSources(
      EventSourceContext<EphemeralRunnerSet> context) {
    var runners = new Runners(context);
    caches.open(KnownRunners.of(context.getPrimaryCache(), runners, runners.deliveredByNamespace));
    return List.of(runners, wakeUps);
  }

  private static SetKey setOf(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    var name = Objects.requireNonNull(meta.getLabels().get(Labels.SET), "selected by this label");
    return new SetKey(meta.getNamespace(), name);
  }

  /**
   * The runners of all sets. The end of a runner whose EphemeralRunnerSet is gone is an event for
   * no pass here; the deletion of its runner set waits for it, as in a namespace that is deleted.
   */
  private final class Runners extends InformerEventSource<EphemeralRunner, EphemeralRunnerSet> {
    /** The highest resourceVersion that the watch brought; our own writes do not count. */
    private final Map<String, Long> deliveredByNamespace = new ConcurrentHashMap<>();

    Runners(EventSourceContext<EphemeralRunnerSet> context) {
      super(
          InformerEventSourceConfiguration.from(EphemeralRunner.class, EphemeralRunnerSet.class)
              .withName("runners")
              .withLabelSelector(Labels.SET)
              .withSecondaryToPrimaryMapper(runner -> {
                var set = setOf(runner);
                return Set.of(new ResourceID(set.name(), set.namespace()));
              })
              .build(),
          context);
    }

    /** Before the set is woken: it waits for that (SD11). */
    private void delivered(EphemeralRunner runner) {
      deliveredByNamespace.merge(
          runner.getMetadata().getNamespace(), Resource.version(runner), Math::max);
    }

    @Override
    public void onAdd(EphemeralRunner runner) {
      delivered(runner);
      super.onAdd(runner);
    }

    @Override
    public void onUpdate(EphemeralRunner before, EphemeralRunner after) {
      delivered(after);
      super.onUpdate(before, after);
    }

    @Override
    public void onDelete(EphemeralRunner runner, boolean isStateUnknown) {
      delivered(runner);
      super.onDelete(runner, isStateUnknown);
      var set = setOf(runner);
      if (caches.set(set.namespace(), set.name()).isEmpty()) {
        emptied.accept(set);
      }
    }
  }

  @Override
  public void trigger(String namespace, String name) {
    wakeUps.propagateEvent(new ResourceID(name, namespace));
  }

  @Override
  public UpdateControl<EphemeralRunnerSet> reconcile(
      EphemeralRunnerSet set, Context<EphemeralRunnerSet> context) {
    if (anothers.test(SetKey.of(set))) {
      return UpdateControl.<EphemeralRunnerSet>noUpdate().rescheduleAfter(LOOK_AGAIN);
    }
    var cache = new InformerWriteCache(context.eventSourceRetriever().getControllerEventSource());
    var conditions = set.statusOrNone().conditions();
    var requeue = failures.run(kube, set, conditions, clock, () -> pass.run(set, cache));
    return TimerDelay.until(clock.instant(), requeue)
        .map(delay -> UpdateControl.<EphemeralRunnerSet>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  /** The sets for the sweep for left-overs. */
  public AuditedSets toSweep() {
    return pass.toSweep(anothers);
  }

  /** A node takes no pods any more: the sets that have runners there are looked at. */
  public void nodeCordoned(String node) {
    caches
        .setsOn(node)
        .forEach(set -> trigger(set.getMetadata().getNamespace(), set.getMetadata().getName()));
  }

  @Override
  public void begin(SetKey set, AgeSweep sweep) {
    pass.begin(set, sweep);
  }

  @Override
  public void leaveOut(SetKey set, boolean limited) {
    pass.leaveOut(set, limited);
  }
}
