package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls to one host through: so many at once, and none for a while after several in a row that
 * took long and brought nothing (docs/adr/0015). A call that waits for its turn does so only while
 * the service answers others, so that a service that hangs holds no more threads than the limit.
 * Thread-safe.
 */
final class Admission {
  private final CallLimits limits;
  private final Clock clock;
  private final Semaphore turns;
  private final @Nullable CircuitBreaker breaker;
  private volatile Instant answeredAt;
  private volatile Instant restsUntil = Instant.EPOCH;

  Admission(CallLimits limits, Clock clock) {
    this.limits = limits;
    this.clock = clock;
    this.turns = new Semaphore(limits.atOnce());
    this.answeredAt = clock.instant(); // nobody has asked yet
    this.breaker = limits.failures() == Integer.MAX_VALUE ? null : breaker(limits, clock);
  }

  /**
   * What the call brings.
   *
   * @param request the call, for people
   * @throws ServiceException with {@link ServiceError.NotSent} if it may not go out now
   */
  Answer call(String request, Supplier<Answer> call) {
    if (breaker != null && !breaker.tryAcquirePermission()) {
      throw notSent(
          request,
          "the service did not answer "
              + limits.failures()
              + " calls in a row; the next try is at "
              + restsUntil,
          leftUntil(restsUntil));
    }
    if (!hasTurn()) {
      release();
      throw notSent(
          request,
          limits.atOnce() + " calls wait for the service already; it is tried again",
          limits.turn());
    }
    try {
      return measured(call);
    } finally {
      turns.release();
    }
  }

  private Answer measured(Supplier<Answer> call) {
    var begin = clock.instant();
    boolean notified = false;
    try {
      var outcome = call.get();
      notified = true;
      ended(begin, outcome.status() >= 500);
      return outcome;
    } catch (ServiceException e) {
      // a call that was cancelled, or not sent, tells nothing of this service
      if (!(e.error() instanceof ServiceError.Cancelled
          || e.error() instanceof ServiceError.NotSent
          || e.error() instanceof ServiceError.RateLimited)) {
        notified = true;
        ended(begin, e.error() instanceof ServiceError.Unavailable);
      }
      throw e;
    } finally {
      if (!notified) {
        release();
      }
    }
  }

  /** What fails at once holds nobody, and is no reason to rest. */
  private void ended(Instant begin, boolean failed) {
    var took = Duration.between(begin, clock.instant());
    boolean slow = failed && took.compareTo(limits.slow()) >= 0;
    if (!slow) {
      answeredAt = clock.instant();
    }
    if (breaker == null) {
      return;
    }
    if (slow) {
      breaker.onError(took.toNanos(), TimeUnit.NANOSECONDS, new IllegalStateException("slow"));
    } else {
      breaker.onSuccess(took.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private boolean hasTurn() {
    if (turns.tryAcquire()) {
      return true;
    }
    if (answeredAt.plus(limits.turn()).isBefore(clock.instant())) {
      return false;
    }
    try {
      return turns.tryAcquire(limits.turn().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void release() {
    if (breaker != null) {
      breaker.releasePermission();
    }
  }

  private Duration leftUntil(Instant until) {
    var left = Duration.between(clock.instant(), until);
    return left.isPositive() ? left : Duration.ZERO;
  }

  private static ServiceException notSent(String request, String why, Duration retryAfter) {
    return new ServiceException(
        new ServiceError.NotSent(
            ServiceError.Details.unanswered(request, "not sent: " + why), retryAfter));
  }

  /**
   * The one factory of breakers: open after so many slow failures without anything else between.
   */
  private CircuitBreaker breaker(CallLimits limits, Clock clock) {
    var made =
        CircuitBreaker.of(
            "service",
            CircuitBreakerConfig.custom()
                .clock(clock)
                .slidingWindow(limits.failures(), limits.failures(), SlidingWindowType.COUNT_BASED)
                .failureRateThreshold(100)
                .slowCallRateThreshold(100)
                .slowCallDurationThreshold(Duration.ofDays(1)) // a slow success is a success
                .waitDurationInOpenState(limits.rest())
                .permittedNumberOfCallsInHalfOpenState(1)
                .build());
    made.getEventPublisher()
        .onStateTransition(change -> {
          if (change.getStateTransition().getToState() == CircuitBreaker.State.OPEN) {
            restsUntil = clock.instant().plus(limits.rest());
          }
        });
    return made;
  }
}
