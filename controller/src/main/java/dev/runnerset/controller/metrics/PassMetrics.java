package dev.runnerset.controller.metrics;

import dev.runnerset.base.metrics.Meters;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the passes that the framework runs, and the objects that wait for one. Thread-safe. */
public final class PassMetrics implements Metrics {
  private final Meters meters;
  private final LongSupplier nanoTime;
  private final Metrics inner;
  private final Map<String, AtomicInteger> waitingByKind = new ConcurrentHashMap<>();

  /**
   * Counts into those series.
   *
   * @param inner runs each pass within the time that is measured; of several metrics the framework
   *     asks only the first
   */
  public PassMetrics(Meters meters, LongSupplier nanoTime, Metrics inner) {
    this.meters = meters;
    this.nanoTime = nanoTime;
    this.inner = inner;
  }

  @Override
  public void reconcileCustomResource(
      HasMetadata object, @Nullable RetryInfo retry, Map<String, Object> metadata) {
    waiting(object, 1);
  }

  @Override
  public void reconciliationExecutionStarted(HasMetadata object, Map<String, Object> metadata) {
    waiting(object, -1);
  }

  private void waiting(HasMetadata object, int change) {
    var kind = object.getKind();
    var waiting = waitingByKind.computeIfAbsent(kind, same -> new AtomicInteger());
    synchronized (waiting) { // else an older number may be shown last
      meters.ofProcess().gauge(Meter.RECONCILE_QUEUE, waiting.addAndGet(change), kind);
    }
  }

  @Override
  public <T> T timeControllerExecution(ControllerExecution<T> pass) throws Exception {
    long begin = nanoTime.getAsLong();
    var outcome = "failure";
    try {
      var result = inner.timeControllerExecution(pass);
      outcome = "success";
      return result;
    } finally {
      if (pass.metadata().get(Constants.RESOURCE_GVK_KEY) instanceof GroupVersionKind kind) {
        var time = Duration.ofNanos(nanoTime.getAsLong() - begin);
        meters.ofProcess().observe(Meter.RECONCILE, time, kind.getKind(), outcome);
      }
    }
  }
}
