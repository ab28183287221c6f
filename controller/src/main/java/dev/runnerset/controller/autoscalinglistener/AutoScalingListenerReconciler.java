package dev.runnerset.controller.autoscalinglistener;

import dev.runnerset.controller.timing.TimerDelay;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Labels;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the finalizer of a deleted listener object once its session has ended. */
@ControllerConfiguration(
    name = "autoscalinglistener",
    finalizerName = Labels.SET_FINALIZER,
    generationAwareEventProcessing = false,
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

  private final Clock clock;

  /** The reconciler. */
  public AutoScalingListenerReconciler(Clock clock) {
    this.clock = clock;
  }

  @Override
  public UpdateControl<AutoScalingListener> reconcile(
      AutoScalingListener listener, Context<AutoScalingListener> context) {
    return UpdateControl.noUpdate();
  }

  @Override
  public DeleteControl cleanup(AutoScalingListener listener, Context<AutoScalingListener> context) {
    var now = clock.instant();
    var at = ListenerRelease.at(listener, now);
    if (at.isAfter(now)) {
      return DeleteControl.noFinalizerRemoval().rescheduleAfter(TimerDelay.until(now, at));
    }
    LOG.atInfo()
        .addKeyValue("listener", listener.getMetadata().getName())
        .log("removed the finalizer of a listener object");
    return DeleteControl.defaultDelete();
  }
}
