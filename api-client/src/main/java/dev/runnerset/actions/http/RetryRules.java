package dev.runnerset.actions.http;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which calls are repeated, how often, and after what time (protocol 5.1).
 *
 * @param attempts of one call, the first included
 * @param firstWait doubled after each attempt, then cut by up to a half at random: callers that
 *     failed together do not come back together
 * @param longestWait bound of the doubling
 * @param longestRetryAfter a service that asks for more is not waited for: the call fails at once,
 *     and its error carries the time
 */
public record RetryRules(
    int attempts, Duration firstWait, Duration longestWait, Duration longestRetryAfter) {
  /** 1, 2, 4, 8 s between five attempts (protocol 5.1); at most 30 s on the service's wish. */
  public static final RetryRules DEFAULT =
      new RetryRules(5, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(30));

  /**
   * For a caller that comes back by itself: every call is sent once, but for the registration,
   * whose token spreads slowly (protocol 1.4).
   */
  public static final RetryRules ONCE =
      new RetryRules(1, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ZERO);

  /** Every call is sent once. */
  public static final RetryRules NONE =
      new RetryRules(1, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO);

  private static final double JITTER = 0.5;
  private static final int REGISTRATIONS = 4;

  /** Rejects what would never end or never wait. */
  public RetryRules {
    if (attempts < 1 || !firstWait.isPositive() || longestWait.compareTo(firstWait) < 0) {
      throw new IllegalArgumentException(
          "retry rules need at least one attempt, a positive first wait and no shorter longest one");
    }
  }

  /** Whether the request may be sent again. One line for each reason; the last is the rule. */
  boolean mayRetry(Attempt attempt, Endpoint endpoint) {
    return switch (attempt) {
      case Attempt.Failed(var _, var sent, var lasting) -> {
        if (lasting) yield false; // neither certificate, host nor cancellation changes by asking
        if (!sent) yield true; // it never left this machine
        yield endpoint.isRepeatable(); // it may have been carried out
      }
      // the service asked all callers to wait; or the caller knows when it may change something
      case Attempt.KeptBack(var _, var left) -> left != null && !tooLong(left);
      case Attempt.Answered(var answer) -> {
        int status = answer.status();
        if (tooLong(answer.retryAfter())) yield false; // the caller has better things to do
        if (status == 429 || answer.isRateLimit()) yield true; // the service did nothing
        if (status == 501) yield false; // it will not learn it meanwhile
        if (status >= 500) yield endpoint.isRepeatable(); // it may have been carried out
        if (status == 401 || status == 403) {
          yield endpoint == Endpoint.RUNNER_REGISTRATION; // the token spreads slowly (protocol 1.4)
        }
        yield false; // any other answer is an answer
      }
    };
  }

  /**
   * What to wait after the given number of attempts.
   *
   * @param chance from 0 to 1: what part of the jitter is taken off
   */
  Duration waitAfter(int attemptsMade, Attempt last, double chance) {
    var asked = last.askedToWait();
    if (asked != null) {
      return asked;
    }
    long full =
        IntervalFunction.ofExponentialBackoff(firstWait, 2, longestWait).apply(attemptsMade);
    return Duration.ofMillis(Math.round(full * (1 - JITTER * chance)));
  }

  /**
   * The one factory of retries. Only their accounting is used, by way of {@link
   * Retry#asyncContext()}: it says how long to wait and leaves the waiting, which must be
   * interruptible and testable, to us.
   */
  Retry retry(Endpoint endpoint, RandomGenerator random) {
    return Retry.of(
        endpoint.label(),
        RetryConfig.<Attempt>custom()
            .maxAttempts(attempts(endpoint))
            .retryOnResult(attempt -> mayRetry(attempt, endpoint))
            .intervalBiFunction(
                (made, last) -> waitAfter(made, last.get(), random.nextDouble()).toMillis())
            .build());
  }

  private int attempts(Endpoint endpoint) {
    return endpoint == Endpoint.RUNNER_REGISTRATION && this != NONE
        ? Math.max(attempts, REGISTRATIONS)
        : attempts;
  }

  private boolean tooLong(@Nullable Duration asked) {
    return asked != null && asked.compareTo(longestRetryAfter) > 0;
  }
}
