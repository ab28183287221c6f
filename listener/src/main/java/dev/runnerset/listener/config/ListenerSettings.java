package dev.runnerset.listener.config;

import java.time.Duration;

/**
 * What a listener needs to know beside the way to the cluster.
 *
 * @param namespace where its listener objects and its lease are
 * @param identity who holds lease and sessions, different in every process
 * @param leaseName the lease that processes of one namespace compete for
 * @param lease after how long without renewal another process may take the lease
 * @param renewDeadline how long the holder tries to renew it; less than {@code lease}
 * @param retry how often it is renewed; less than {@code renewDeadline}
 * @param poll how long the service holds a poll open; one that stands twice as long is given up
 * @param credentialsAge after how long secrets are read again
 * @param grace how long an orderly end may take before it becomes a hasty one
 */
public record ListenerSettings(
    String namespace,
    String identity,
    String leaseName,
    Duration lease,
    Duration renewDeadline,
    Duration retry,
    Duration poll,
    Duration credentialsAge,
    Duration grace) {
  /** Where the listener runs, unless it is told otherwise. */
  public static final String NAMESPACE = "runnerset-listener";

  /** The lease's name, unless another is asked for. */
  public static final String LEASE_NAME = "runnerset-listener";

  /** Rejects what cannot work, with a sentence for the user. */
  public ListenerSettings {
    for (var time : new Duration[] {lease, renewDeadline, retry, poll, credentialsAge, grace}) {
      if (!time.isPositive()) {
        throw new IllegalArgumentException("a time must be more than 0s");
      }
    }
    if (renewDeadline.compareTo(lease) >= 0) {
      throw new IllegalArgumentException("the renew deadline must be less than the lease duration");
    }
    // the library adds up to 120 % to an interval at random
    if (retry.multipliedBy(11).dividedBy(5).compareTo(renewDeadline) >= 0) {
      throw new IllegalArgumentException(
          "the renew deadline must be more than 2.2 times the retry period");
    }
    if (namespace.isBlank() || identity.isBlank() || leaseName.isBlank()) {
      throw new IllegalArgumentException("namespace, identity and lease name must not be empty");
    }
  }

  /** The defaults. */
  public static ListenerSettings of(String namespace, String identity) {
    return new ListenerSettings(
        namespace,
        identity,
        LEASE_NAME,
        Duration.ofSeconds(10),
        Duration.ofSeconds(7),
        Duration.ofSeconds(2),
        Duration.ofSeconds(55),
        Duration.ofMinutes(5),
        Duration.ofSeconds(12));
  }

  /** The same with other times of the lease. */
  public ListenerSettings withLease(Duration lasting, Duration deadline, Duration every) {
    return new ListenerSettings(
        namespace, identity, leaseName, lasting, deadline, every, poll, credentialsAge, grace);
  }
}
