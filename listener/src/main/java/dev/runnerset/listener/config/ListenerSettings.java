package dev.runnerset.listener.config;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * What a listener needs to know beside the way to the cluster.
 *
 * @param namespace of its listener objects and its lease
 * @param identity who holds lease and sessions; different in every process
 * @param poll how long the service holds a poll open; a poll that takes {@link #POLL_MARGIN} longer
 *     is given up
 * @param credentialsAge after how long secrets are read again
 * @param grace how long an orderly end may take before it becomes a hasty one
 * @param usage whose jobs are counted by repository
 */
public record ListenerSettings(
    String namespace,
    String identity,
    Lease lease,
    Duration poll,
    Duration credentialsAge,
    Duration grace,
    UsageRepositories usage) {
  /** The namespace of the listener, unless another is asked for. */
  public static final String NAMESPACE = "runnerset-listener";

  /** The name of the lease, unless another is asked for. */
  public static final String LEASE_NAME = "runnerset-listener";

  /** A poll without an answer is doubted so long after its time. */
  public static final Duration POLL_MARGIN = Duration.ofSeconds(15);

  /**
   * A loop that neither waits nor ends a request for so long hangs: no request of its own takes
   * more than 30 s.
   */
  public static final Duration STUCK_AFTER = Duration.ofSeconds(70);

  /**
   * The lease that the processes of one namespace compete for.
   *
   * @param lasts after how long without renewal another process may take the lease
   * @param renewDeadline how long the holder tries to renew it; less than {@code lasts}
   * @param retryPeriod how often it is renewed; the library adds up to 120 % at random, and that
   *     must be less than {@code renewDeadline}
   */
  public record Lease(String name, Duration lasts, Duration renewDeadline, Duration retryPeriod) {
    /** Rejects what cannot work, with a sentence for the user. */
    public Lease {
      requirePositive(lasts, renewDeadline, retryPeriod);
      if (renewDeadline.compareTo(lasts) >= 0) {
        throw new IllegalArgumentException(
            "the renew deadline must be less than the lease duration");
      }
      if (retryPeriod.multipliedBy(11).dividedBy(5).compareTo(renewDeadline) >= 0) {
        throw new IllegalArgumentException(
            "the renew deadline must be more than 2.2 times the retry period");
      }
      if (name.isBlank()) {
        throw new IllegalArgumentException("namespace, identity and lease name must not be empty");
      }
    }
  }

  /** Rejects what cannot work, with a sentence for the user. */
  public ListenerSettings {
    requirePositive(poll, credentialsAge, grace);
    if (namespace.isBlank() || identity.isBlank()) {
      throw new IllegalArgumentException("namespace, identity and lease name must not be empty");
    }
  }

  private static void requirePositive(Duration... times) {
    if (!Stream.of(times).allMatch(Duration::isPositive)) {
      throw new IllegalArgumentException("a time must be more than 0s");
    }
  }

  /** The defaults. */
  public static ListenerSettings of(String namespace, String identity) {
    return new ListenerSettings(
        namespace,
        identity,
        new Lease(LEASE_NAME, Duration.ofSeconds(10), Duration.ofSeconds(7), Duration.ofSeconds(2)),
        Duration.ofSeconds(55),
        Duration.ofMinutes(5),
        Duration.ofSeconds(12),
        UsageRepositories.NONE);
  }

  /** The same with another lease. */
  public ListenerSettings withLease(Lease other) {
    return new ListenerSettings(namespace, identity, other, poll, credentialsAge, grace, usage);
  }
}
