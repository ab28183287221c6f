package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.caches.InformerWriteCache;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.hooks.ChangedSets;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.controller.removal.RemovalRequestGate;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Unreadable;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Keeps as many runners as {@link DesiredRunners} says; {@link EphemeralRunnerSetPass} does the
 * work.
 */
@ControllerConfiguration(
    name = "ephemeralrunnerset",
    generationAwareEventProcessing = false,
    informer = @Informer(informerListLimit = KubeApi.PAGE),
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 2, timeUnit = TimeUnit.MINUTES))
@GradualRetry(initialInterval = 500, maxInterval = 20_000, maxAttempts = Integer.MAX_VALUE)
public final class EphemeralRunnerSetReconciler
    implements Reconciler<EphemeralRunnerSet>, ChangedSets {
  /** When a set of another controller is looked at again. */
  @Detail private static final Duration REQUEUE_AFTER = Duration.ofSeconds(15);

  private final Clock clock;
  private final KubeApi kube;
  private final Events events;
  private final FailedPasses failures = new FailedPasses();
  private final EphemeralRunnerSetPass pass;
  private final SetMemories memories;
  private final SharedCaches cached;
  private final Consumer<SetKey> emptied;
  private final RunnersReports reports;
  private final Predicate<SetKey> anothers;

  /**
   * The reconciler.
   *
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   * @param features what they bring
   * @param anothers whether the set of that name belongs to another controller
   */
  public EphemeralRunnerSetReconciler(
      EphemeralRunnerSetPass.Environment environment,
      SharedCaches cached,
      EphemeralRunnerSetPass.Shared shared,
      Duration protectionWindow,
      SetFeatures features,
      Predicate<SetKey> anothers) {
    this.memories = new SetMemories(cached);
    this.cached = cached;
    this.anothers = anothers;
    this.emptied = shared.emptied();
    this.reports = shared.reports();
    this.clock = environment.clock();
    this.kube = environment.kube();
    this.events = shared.events();
    this.pass =
        new EphemeralRunnerSetPass(
            environment, memories, shared, protectionWindow, features, this::trigger);
  }

  /** Bounds the removals of each set. */
  public RemovalRequestGate gate() {
    return memories;
  }

  @Override
  public List<EventSource<?, EphemeralRunnerSet>> prepareEventSources(
      EventSourceContext<EphemeralRunnerSet> context) {
    cached.ofSets().open(context);
    cached
        .ofSets()
        .follow((set, gone) -> {
          if (gone) {
            memories.isGone(set);
            reports.forget(set);
            cached.ofRunners().setIsGone(SetKey.of(set));
          }
        });
    cached
        .ofRunners()
        .follow((runner, gone) -> RunnerCache.setOf(runner).ifPresent(set -> changed(set, gone)));
    return List.of(cached.ofSets());
  }

  /**
   * The end of a runner whose EphemeralRunnerSet is gone is an event for no pass here; the deletion
   * of its runner set waits for it, as in a namespace that is deleted.
   */
  private void changed(SetKey set, boolean gone) {
    trigger(set);
    if (gone && cached.set(set.namespace(), set.name()).isEmpty()) {
      emptied.accept(set);
    }
  }

  /** Makes a pass over the set of that name, if there is one, for news that no event carries. */
  public void trigger(SetKey set) {
    cached.ofSets().propagateEvent(new ResourceID(set.name(), set.namespace()));
  }

  @Override
  public UpdateControl<EphemeralRunnerSet> reconcile(
      EphemeralRunnerSet set, Context<EphemeralRunnerSet> context) {
    if (anothers.test(SetKey.of(set))) {
      return UpdateControl.<EphemeralRunnerSet>noUpdate().rescheduleAfter(REQUEUE_AFTER);
    }
    var cache = new InformerWriteCache(context.eventSourceRetriever().getControllerEventSource());
    var conditions = set.statusOrNone().conditions();
    // the deletion of a set waits until its last runner has gone
    boolean goes = Integer.valueOf(0).equals(set.getSpec().maxRunners());
    if (!goes && FailedPasses.refuses(kube, events, set, conditions, clock.instant())) {
      Unreadable.of(set)
          .ifPresent(why -> reportFailing(set, FailedPasses.reason(why), FailedPasses.words(why)));
      return UpdateControl.noUpdate();
    }
    var requeue =
        failures.run(
            kube,
            set,
            conditions,
            clock,
            () -> pass.run(cached.withDemand().apply(set), cache),
            words -> reportFailing(set, EphemeralRunnerSetReason.PASS_FAILED, words));
    return TimerDelay.until(clock.instant(), requeue)
        .map(delay -> UpdateControl.<EphemeralRunnerSet>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  private void reportFailing(EphemeralRunnerSet set, Reason reason, String words) {
    if (reports.failing(set, Verdict.yes(reason, words).limiting(LimitedBy.NOT_STARTING))) {
      emptied.accept(SetKey.of(set));
    }
  }

  /** The sets for the sweep for left-overs. */
  public AuditedSets toSweep() {
    return pass.toSweep(anothers);
  }

  /** A node is to be left, or no more: the sets that have runners there are looked at. */
  public void nodeChanged(String node) {
    cached
        .ofRunners()
        .all()
        .filter(runner -> node.equals(runner.statusOrNone().nodeName()))
        .flatMap(runner -> RunnerCache.setOf(runner).stream())
        .distinct()
        .forEach(this::trigger);
  }

  @Override
  public void change(SetKey set, BiConsumer<EphemeralRunnerSet, Slots> change) {
    pass.change(set, change);
  }
}
