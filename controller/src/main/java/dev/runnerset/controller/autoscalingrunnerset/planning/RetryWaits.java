package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.base.Backoff;
import java.time.Duration;

/** How long a set waits after failures in a row before it asks again. */
public final class RetryWaits {
  /** Where the service is asked: a set heals within half a minute of a repair. */
  public static final Backoff SERVICE = Backoff.of(Duration.ofSeconds(2), Duration.ofSeconds(25));

  /** Where only the cluster is read, as for a secret that is missing. */
  public static final Backoff CLUSTER = Backoff.of(Duration.ofSeconds(2), Duration.ofSeconds(30));

  private RetryWaits() {}
}
