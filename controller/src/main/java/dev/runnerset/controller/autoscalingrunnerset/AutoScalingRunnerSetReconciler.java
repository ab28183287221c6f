package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.hooks.RunnerSetFeatures;
import dev.runnerset.controller.hooks.SweptSets;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles runner sets: reads the caches, then syncs the set or goes on with its deletion. */
@ControllerConfiguration(
    name = "autoscalingrunnerset",
    finalizerName = Labels.SET_FINALIZER,
    generationAwareEventProcessing = false,
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 5, timeUnit = TimeUnit.MINUTES))
@GradualRetry(
    initialInterval = 2_000,
    intervalMultiplier = 2.0,
    maxInterval = 20_000, // what a set says of a repaired cluster must be gone within 30 s
    maxAttempts = Integer.MAX_VALUE)
public final class AutoScalingRunnerSetReconciler
    implements Reconciler<AutoScalingRunnerSet>, Cleaner<AutoScalingRunnerSet>, SweptSets {
  private static final Logger LOG = LoggerFactory.getLogger(AutoScalingRunnerSetReconciler.class);

  private final String listenerNamespace;
  private final String installation;
  private final RunnerSetPass pass;
  private final HolderLeases holders;
  private final Clock clock;
  private final Clocks clocks;
  private final SimpleInboundEventSource<AutoScalingRunnerSet> wakeUps =
      new SimpleInboundEventSource<>("wake-ups");
  private final SharedCache<EphemeralRunnerSet> ephemeralRunnerSets;
  private final SharedCache<AutoScalingListener> listeners;
  private final FailedPasses failures = new FailedPasses();
  private @Nullable RunnerSetCaches sources;
  private final PassWatch watch;

  /**
   * The reconciler.
   *
   * @param hooks the features
   * @param ephemeralRunnerSets opened by their own reconciler
   * @param listeners opened by their own reconciler
   */
  public AutoScalingRunnerSetReconciler(
      ControllerSettings settings,
      RunnerSetPass.Environment environment,
      RunnerSetFeatures hooks,
      SharedCache<EphemeralRunnerSet> ephemeralRunnerSets,
      SharedCache<AutoScalingListener> listeners) {
    this.listenerNamespace = settings.places().listenerNamespace();
    this.installation = settings.places().installation();
    this.holders = new HolderLeases(environment.clocks().nanoTime());
    this.pass = new RunnerSetPass(settings, environment, hooks, holders);
    this.clocks = environment.clocks();
    this.clock = clocks.now();
    this.ephemeralRunnerSets = ephemeralRunnerSets;
    this.listeners = listeners;
    this.watch = new PassWatch(new Watched(), clock);
  }

  @Override
  public List<EventSource<?, AutoScalingRunnerSet>> prepareEventSources(
      EventSourceContext<AutoScalingRunnerSet> context) {
    var caches =
        new RunnerSetCaches(
            context,
            ephemeralRunnerSets,
            listeners,
            listenerNamespace,
            (status, ofSet) -> holders.judged(status, ofSet, clock.instant()));
    sources = caches;
    // by its name, which is the set's: somebody may take its owner reference off
    ephemeralRunnerSets.follow((ers, gone) -> wake(SetKey.of(ers)));
    listeners.follow((listener, gone) -> caches.setsOf(listener).forEach(wakeUps::propagateEvent));
    return Stream.<EventSource<?, AutoScalingRunnerSet>>concat(
            caches.sources().stream(), Stream.of(wakeUps))
        .toList();
  }

  @Override
  public List<SweptSet> all() {
    return sources == null
        ? List.of()
        : sources
            .sets()
            .filter(set -> !belongsToAnother(SetKey.of(set)))
            .map(sources::swept)
            .toList();
  }

  /** One set; empty if it is gone. */
  public Optional<SweptSet> one(SetKey key) {
    return sources == null || belongsToAnother(key)
        ? Optional.empty()
        : sources.set(key).map(sources::swept);
  }

  /** Whether a set of that name belongs to another controller: then all its objects are left. */
  public boolean belongsToAnother(SetKey key) {
    return sources != null
        && sources
            .set(key)
            .filter(set -> set.statusOrNone().belongsToAnotherThan(installation))
            .isPresent();
  }

  /** Triggers a pass of the set. */
  public void wake(SetKey key) {
    wakeUps.propagateEvent(new ResourceID(key.name(), key.namespace()));
  }

  /** The set of that name in the cache. */
  public Optional<AutoScalingRunnerSet> set(SetKey key) {
    return sources == null ? Optional.empty() : sources.set(key);
  }

  /** The sets in the cache. */
  public List<AutoScalingRunnerSet> sets() {
    return sources == null ? List.of() : sources.sets().toList();
  }

  /** What the set says of its listener; empty if nothing yet. */
  public Optional<Condition> listenerReady(SetKey key) {
    return sources == null
        ? Optional.empty()
        : sources.set(key).flatMap(RunnerSetConditions::listenerReadyOf);
  }

  /** From now on {@code heard} gets each set whose listener became ready or ceased to be. */
  public void onListenerTurn(Consumer<SetKey> heard) {
    pass.onListenerTurn(heard);
  }

  /** Triggers a pass of the set. */
  public void wake(AutoScalingRunnerSet set) {
    wakeUps.propagateEvent(ResourceID.fromResource(set));
  }

  /** What the sets of this cluster are connected by. */
  public Set<ConnectionKey> connectionKeys() {
    return sources == null
        ? Set.of()
        : sources.sets().map(ScaleSetRegistrar::key).collect(Collectors.toSet());
  }

  /** Triggers a pass of each set with that connection, whose state has changed. */
  public void connectionChanged(ConnectionKey key) {
    if (sources != null) {
      sources
          .sets()
          .filter(set -> ScaleSetRegistrar.key(set).equals(key))
          .forEach(set -> wakeUps.propagateEvent(ResourceID.fromResource(set)));
    }
  }

  /** Which listener processes live: to be kept up to date by a watch. */
  public HolderLeases holders() {
    return holders;
  }

  /** The listener processes that the listener objects of all sets name now. */
  public Set<String> namedHolders() {
    return sources == null ? Set.of() : sources.holders();
  }

  /** Triggers a pass of each set that the listener process holds, since it was lost or is back. */
  public void holderChanged(String holder) {
    if (sources != null) {
      sources.heldBy(holder).forEach(set -> wakeUps.propagateEvent(ResourceID.fromResource(set)));
    }
  }

  @Override
  public UpdateControl<AutoScalingRunnerSet> reconcile(
      AutoScalingRunnerSet set, Context<AutoScalingRunnerSet> context) {
    var cache = Objects.requireNonNull(sources, "prepareEventSources comes first");
    var requeue =
        ending(set, cache, context, writes -> pass.sync(cache.gather(set, context), cache, writes));
    return TimerDelay.until(clock.instant(), requeue)
        .map(delay -> UpdateControl.<AutoScalingRunnerSet>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  @Override
  public DeleteControl cleanup(AutoScalingRunnerSet set, Context<AutoScalingRunnerSet> context) {
    var cache = Objects.requireNonNull(sources, "prepareEventSources comes first");
    return ending(set, cache, context, w -> pass.delete(cache.gather(set, context), cache, w))
        .map(again ->
            DeleteControl.noFinalizerRemoval()
                .rescheduleAfter(TimerDelay.until(clock.instant(), again)))
        .orElseGet(DeleteControl::defaultDelete);
  }

  /** Runs a pass, tells on the set if it fails, and notes that it ended if not. */
  private <T> T ending(
      AutoScalingRunnerSet set,
      RunnerSetCaches cache,
      Context<AutoScalingRunnerSet> context,
      Function<WriteCache, T> run) {
    var writes = cache.writes(context);
    var result =
        failures.run(
            set,
            () -> run.apply(writes),
            e -> {
              if (!belongsToAnother(SetKey.of(set))) {
                pass.failed(set, e, cache, writes);
              }
            });
    watch.ended(set);
    return result;
  }

  /** Watches over the passes, while this process leads. */
  public Followed passWatch() {
    return clocks.every("pass-watch", PassWatch.EVERY, watch::round);
  }

  private final class Watched implements PassWatch.Sets {
    @Override
    public Stream<AutoScalingRunnerSet> ready() {
      return sets().stream()
          .filter(set -> !set.statusOrNone().belongsToAnotherThan(installation))
          .filter(
              set -> StatusConditions.isTrue(set.statusOrNone().conditions(), ConditionType.READY));
    }

    @Override
    public boolean hasListener(AutoScalingRunnerSet set) {
      return sources != null && sources.listener(set) != null;
    }

    @Override
    public void wake(AutoScalingRunnerSet set) {
      AutoScalingRunnerSetReconciler.this.wake(set);
    }

    @Override
    public void notReady(AutoScalingRunnerSet set, Finding finding) {
      try {
        pass.notReady(set, finding, WriteCache.NONE);
      } catch (KubernetesClientException e) {
        LOG.atWarn()
            .addKeyValue("set", SetKey.of(set))
            .addKeyValue("error", e.getMessage())
            .log("cannot say that the set is not ready; tried again in the next round");
      }
    }
  }
}
