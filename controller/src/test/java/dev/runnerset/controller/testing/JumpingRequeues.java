package dev.runnerset.controller.testing;

import static java.util.Objects.requireNonNull;

import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.BaseControl;
import io.javaoperatorsdk.operator.processing.Controller;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import io.javaoperatorsdk.operator.processing.retry.RetryExecution;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The requeues and retries of the framework by a clock that jumps. The framework repeats a
 * reconciliation after a delay of real time; this remembers when that is by the clock of the test,
 * and repeats it as soon as the clock is there. Thread-safe.
 */
public final class JumpingRequeues implements Metrics {
  private record Key(String controller, ResourceID object) {}

  private final Clock clock;
  private final Map<String, Controller<?>> controllers = new ConcurrentHashMap<>();
  private final Map<Key, Instant> due = new ConcurrentHashMap<>();
  private final Map<Key, RetryExecution> failing = new ConcurrentHashMap<>();
  private final Set<Key> seen = ConcurrentHashMap.newKeySet();

  private volatile Consumer<String> beforeEach = controller -> {};

  /** None yet. */
  public JumpingRequeues(Clock clock) {
    this.clock = clock;
  }

  /** Repeats what is due by now. Call it again and again. */
  public void repeatDue() {
    var now = clock.instant();
    due.forEach((key, at) -> {
      if (!now.isBefore(at) && due.remove(key, at)) {
        controller(key).getEventProcessor().handleEvent(new Event(key.object()));
      }
    });
  }

  /** From now on that is called with the name of the controller before each reconciliation. */
  public void beforeEach(Consumer<String> hook) {
    beforeEach = hook;
  }

  /** What bounds how often that controller reconciles one object. */
  public RateLimiter<?> rateLimiter(String controller) {
    return requireNonNull(controllers.get(controller)).getConfiguration().getRateLimiter();
  }

  /** Whether an event of an object of that controller has come, and its pass has not begun yet. */
  public boolean isAwaited(String controller) {
    return seen.stream()
        .filter(key -> key.controller().equals(controller))
        .anyMatch(
            key -> controller(key).getEventProcessor().isNextReconciliationImminent(key.object()));
  }

  private Controller<?> controller(Key key) {
    return requireNonNull(controllers.get(key.controller()));
  }

  @Override
  public void controllerRegistered(Controller<?> controller) {
    controllers.put(controller.getConfiguration().getName(), controller);
  }

  @Override
  public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
    var key = new Key(execution.controllerName(), execution.resourceID());
    due.remove(key);
    seen.add(key);
    beforeEach.accept(key.controller());
    try {
      var result = execution.execute();
      failing.remove(key);
      if (result instanceof BaseControl<?> control) {
        control
            .getScheduleDelay()
            .map(Duration::ofMillis)
            .or(() -> controller(key).getConfiguration().maxReconciliationInterval())
            .ifPresent(delay -> repeatAfter(key, delay));
      }
      return result;
    } catch (Exception e) {
      failing
          .computeIfAbsent(key, k -> controller(k).getConfiguration().getRetry().initExecution())
          .nextDelay()
          .ifPresent(delay -> repeatAfter(key, Duration.ofMillis(delay)));
      throw e;
    }
  }

  private void repeatAfter(Key key, Duration delay) {
    due.put(key, clock.instant().plus(delay));
  }

  @Override
  public void cleanupDoneFor(ResourceID object, Map<String, Object> metadata) {
    due.keySet().removeIf(key -> key.object().equals(object));
    seen.removeIf(key -> key.object().equals(object));
  }
}
