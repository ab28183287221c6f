package dev.runnerset.listener.session.context;

import dev.runnerset.connection.ServiceConnector;
import dev.runnerset.listener.config.ListenerSettings;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a loop is given. All loops share it but for {@code inbox} and {@code polls}.
 *
 * @param random for the jitter of waits
 */
public record LoopContext(
    Cluster cluster,
    Service service,
    Inbox inbox,
    Polls polls,
    RandomGenerator random,
    ListenerSettings settings,
    SetSeries series) {

  /**
   * Kubernetes.
   *
   * @param leaseRenewedAt when the last renewal of the lease by this process that succeeded began;
   *     null before the first one, and once the lease is lost
   * @param threads run the independent writes of one message; any number at a time
   */
  public record Cluster(
      SetWriter writer, Supplier<@Nullable Instant> leaseRenewedAt, ExecutorService threads) {}

  /** The Actions service: how the credentials are read, and how a connection is made with them. */
  public record Service(AccessReader access, ServiceConnector connector) {}
}
