package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeatures;
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
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles runner sets: reads the caches, then syncs the set or goes on with its deletion. */
@ControllerConfiguration(
    name = "autoscalingrunnerset",
    finalizerName = Labels.SET_FINALIZER,
    generationAwareEventProcessing = false,
    informer = @Informer(informerListLimit = KubeApi.PAGE),
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

  private final String installation;
  private final RunnerSetCaches caches;
  private final RunnerSetPass pass;
  private final HolderLeases holders;
  private final Clocks clocks;
  private final FailedPasses failures = new FailedPasses();
  private final PassWatch watch;
  private final RunnersReports reports;

  /**
   * The reconciler.
   *
   * @param hooks the features
   * @param sets opened by this reconciler
   * @param ephemeralRunnerSets opened by their own reconciler
   * @param listeners opened by their own reconciler
   * @param demands in those listener objects
   */
  public AutoScalingRunnerSetReconciler(
      ControllerSettings settings,
      RunnerSetPass.Environment environment,
      SetFeatures hooks,
      SharedCache<AutoScalingRunnerSet> sets,
      SharedCache<EphemeralRunnerSet> ephemeralRunnerSets,
      SharedCache<AutoScalingListener> listeners,
      Demands demands) {
    var places = settings.places();
    installation = places.installation();
    clocks = environment.clocks();
    reports = environment.reports();
    holders = new HolderLeases(clocks.nanoTime());
    caches =
        new RunnerSetCaches(
            places.listenerNamespace(), sets, ephemeralRunnerSets, listeners, demands);
    pass = new RunnerSetPass(settings, environment, hooks, holders, caches);
    watch = new PassWatch(clocks.now());
  }

  @Override
  public List<EventSource<?, AutoScalingRunnerSet>> prepareEventSources(
      EventSourceContext<AutoScalingRunnerSet> context) {
    return caches.open(context, pass::forget);
  }

  @Override
  public List<SweptSet> all() {
    return ownSets().map(this::swept).toList();
  }

  /** The sets in the cache that belong to this controller. */
  public Stream<AutoScalingRunnerSet> ownSets() {
    return caches.sets().filter(set -> !belongsToAnother(set));
  }

  /** One set; empty if it is gone. */
  public Optional<SweptSet> one(SetKey key) {
    return set(key).filter(set -> !belongsToAnother(set)).map(this::swept);
  }

  private SweptSet swept(AutoScalingRunnerSet set) {
    var listener = caches.listener(set);
    var ers = caches.ephemeralRunnerSet(set);
    var conditions = set.statusOrNone().conditions();
    return new SweptSet(
        set,
        listener != null
            && RunnerSetConditions.isConnected(
                listener,
                holders.judged(listener.statusOrNone(), conditions, clocks.now().instant())),
        ers != null
            && reports.of(ers).flatMap(all -> all.of(ConditionType.RUNNERS_FAILING)).isPresent());
  }

  private boolean belongsToAnother(AutoScalingRunnerSet set) {
    return set.statusOrNone().belongsToAnotherThan(installation);
  }

  /** Whether a set of that name belongs to another controller: then all its objects are left. */
  public boolean belongsToAnother(SetKey key) {
    return set(key).filter(this::belongsToAnother).isPresent();
  }

  /** The set of that name in the cache. */
  public Optional<AutoScalingRunnerSet> set(SetKey key) {
    return caches.set(key);
  }

  /** The sets in the cache. */
  public List<AutoScalingRunnerSet> sets() {
    return caches.sets().toList();
  }

  /** From now on {@code heard} gets each set whose listener became ready or ceased to be. */
  public void onListenerTurn(Consumer<SetKey> heard) {
    pass.onListenerTurn(heard);
  }

  /** Triggers a pass of the set. */
  public void wake(SetKey key) {
    caches.wake(key);
  }

  /** Triggers a pass of the set. */
  public void wake(AutoScalingRunnerSet set) {
    wake(SetKey.of(set));
  }

  /** What the sets of this cluster are connected by. */
  public Set<ConnectionKey> connectionKeys() {
    return caches.sets().map(ScaleSetRegistrar::key).collect(Collectors.toSet());
  }

  /** Triggers a pass of each set with that connection, whose state has changed. */
  public void connectionChanged(ConnectionKey key) {
    caches.sets().filter(set -> ScaleSetRegistrar.key(set).equals(key)).forEach(this::wake);
  }

  /** Which listener processes live: to be kept up to date by a watch. */
  public HolderLeases holders() {
    return holders;
  }

  /** The listener processes that the listener objects of all sets name now. */
  public Set<String> namedHolders() {
    return caches.sets().flatMap(set -> caches.holder(set).stream()).collect(Collectors.toSet());
  }

  /** Triggers a pass of each set that the listener process holds, since it was lost or is back. */
  public void holderChanged(String holder) {
    caches
        .sets()
        .filter(set -> caches.holder(set).filter(holder::equals).isPresent())
        .forEach(this::wake);
  }

  @Override
  public UpdateControl<AutoScalingRunnerSet> reconcile(
      AutoScalingRunnerSet set, Context<AutoScalingRunnerSet> context) {
    return TimerDelay.until(clocks.now().instant(), run(set))
        .map(delay -> UpdateControl.<AutoScalingRunnerSet>noUpdate().rescheduleAfter(delay))
        .orElseGet(UpdateControl::noUpdate);
  }

  @Override
  public DeleteControl cleanup(AutoScalingRunnerSet set, Context<AutoScalingRunnerSet> context) {
    return TimerDelay.until(clocks.now().instant(), run(set))
        .map(delay -> DeleteControl.noFinalizerRemoval().rescheduleAfter(delay))
        .orElseGet(DeleteControl::defaultDelete);
  }

  /** Runs a pass, reports on the set if it fails, and notes that it ended if not. */
  private RequeueTime run(AutoScalingRunnerSet set) {
    var next =
        failures.run(
            set,
            () -> pass.run(caches.gather(set)),
            e -> {
              if (!belongsToAnother(SetKey.of(set))) {
                pass.failed(set, e);
              }
            });
    watch.ended(set);
    return next;
  }

  /** Watches over the passes, while this process leads. */
  public Followed passWatch() {
    return clocks.every("pass-watch", PassWatch.EVERY, this::watchPasses);
  }

  private boolean hasListener(AutoScalingRunnerSet set) {
    var listener = caches.listener(set);
    return listener != null && !listener.isMarkedForDeletion();
  }

  private void watchPasses() {
    var ready =
        ownSets()
            .filter(set ->
                StatusConditions.isTrue(set.statusOrNone().conditions(), ConditionType.READY))
            .toList();
    for (var doubt : watch.round(ready, this::hasListener)) {
      try {
        if (doubt.finding() != null) {
          pass.notReady(doubt.set(), doubt.finding());
        }
      } catch (KubernetesClientException e) {
        LOG.atWarn()
            .addKeyValue("set", SetKey.of(doubt.set()))
            .addKeyValue("error", e.getMessage())
            .log("cannot say that the set is not ready; tried again in the next round");
      }
      wake(doubt.set());
    }
  }
}
