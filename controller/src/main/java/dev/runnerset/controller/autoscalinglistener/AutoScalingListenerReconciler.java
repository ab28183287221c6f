package dev.runnerset.controller.autoscalinglistener;

import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
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
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the finalizer of a deleted listener object once its session has ended, and deletes one
 * whose set is gone.
 */
@ControllerConfiguration(
    name = "autoscalinglistener",
    finalizerName = Labels.SET_FINALIZER,
    generationAwareEventProcessing = false,
    informer = @Informer(informerListLimit = KubeApi.PAGE),
    maxReconciliationInterval =
        @MaxReconciliationInterval(interval = 5, timeUnit = TimeUnit.MINUTES))
@GradualRetry(
    initialInterval = 1_000,
    intervalMultiplier = 2.0,
    maxInterval = 60_000,
    maxAttempts = Integer.MAX_VALUE)
public final class AutoScalingListenerReconciler
    implements Reconciler<AutoScalingListener>, Cleaner<AutoScalingListener> {
  private static final Logger LOG = LoggerFactory.getLogger(AutoScalingListenerReconciler.class);

  /** What is done with listener objects whose set is gone; blocks for requests. */
  public interface WithoutSet {
    /** Deletes the listener object if its set is gone; its session is ended before it goes. */
    void sweep(AutoScalingListener listener);

    /** Removes role, role binding and budget of the set, if it is gone; the session has ended. */
    void removeRest(AutoScalingListener listener);
  }

  private final SharedCache<AutoScalingListener> listeners;
  private final WithoutSet withoutSet;
  private final Events events;
  private final Clock clock;
  private final FailedPasses failures = new FailedPasses();

  /** The reconciler; it opens the cache of listener objects. */
  public AutoScalingListenerReconciler(
      SharedCache<AutoScalingListener> listeners,
      WithoutSet withoutSet,
      Events events,
      Clock clock) {
    this.listeners = listeners;
    this.withoutSet = withoutSet;
    this.events = events;
    this.clock = clock;
  }

  @Override
  public List<EventSource<?, AutoScalingListener>> prepareEventSources(
      EventSourceContext<AutoScalingListener> context) {
    listeners.open(context);
    return List.of(listeners);
  }

  @Override
  public UpdateControl<AutoScalingListener> reconcile(
      AutoScalingListener listener, Context<AutoScalingListener> context) {
    return failures.run(
        listener,
        events,
        () -> {
          withoutSet.sweep(listener);
          return UpdateControl.<AutoScalingListener>noUpdate()
              .rescheduleAfter(ListenerTimes.SET_CHECKED_EVERY);
        });
  }

  @Override
  public DeleteControl cleanup(AutoScalingListener listener, Context<AutoScalingListener> context) {
    return failures.run(listener, events, () -> release(listener));
  }

  private DeleteControl release(AutoScalingListener listener) {
    var now = clock.instant();
    var at = ListenerRelease.at(listener, now);
    if (at.isAfter(now)) {
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(TimerDelay.until(now, at));
    }
    withoutSet.removeRest(listener);
    LOG.atInfo()
        .addKeyValue("listener", listener.getMetadata().getName())
        .log("removed the finalizer of a listener object");
    return DeleteControl.defaultDelete();
  }
}
