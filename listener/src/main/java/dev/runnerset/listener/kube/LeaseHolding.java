package dev.runnerset.listener.kube;

import dev.runnerset.kube.LeaseGuard;
import dev.runnerset.listener.config.ListenerSettings.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires and renews the lease that decides which process listens, and acquires it again after a
 * loss, until {@link #release}. Thread-safe.
 */
public final class LeaseHolding {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseHolding.class);

  private final KubernetesClient client;
  private final LeaseGuard guard;
  private final LeaseLock lease;
  private final Lease times;
  private final Changes changes;
  private final Executor executor;

  private CompletableFuture<?> election = new CompletableFuture<>(); // guarded by this
  private boolean released; // guarded by this

  /**
   * What is called; neither may block.
   *
   * @param gained called when this process holds the lease
   * @param lost called when it no longer does
   */
  public record Changes(Runnable gained, Runnable lost) {}

  /** Nothing is done yet. */
  public LeaseHolding(
      KubernetesClient client,
      LeaseGuard guard,
      LeaseLock lease,
      Lease times,
      Changes changes,
      Executor executor) {
    this.client = client;
    this.guard = guard;
    this.lease = lease;
    this.times = times;
    this.changes = changes;
    this.executor = executor;
  }

  /** Starts to compete for the lease. Returns at once. */
  public synchronized void start() {
    if (released) {
      return;
    }
    var config =
        new LeaderElectionConfig(
            lease,
            times.lasts(),
            times.renewDeadline(),
            times.retryPeriod(),
            new LeaderCallbacks(changes.gained(), this::ended, holder -> {}),
            true,
            lease.describe());
    election = new LeaderElector(client, config, executor).start();
    // after a pause, so that an election that always ends at once does not become a busy loop
    var later =
        CompletableFuture.delayedExecutor(
            times.retryPeriod().toMillis(), TimeUnit.MILLISECONDS, executor);
    var _ = election.whenCompleteAsync((_, _) -> again(), later);
  }

  private void ended() {
    guard.lost();
    changes.lost().run();
  }

  private synchronized void again() {
    if (!released) {
      LOG.atWarn()
          .addKeyValue("lease", lease.describe())
          .log("the lease was lost; it is acquired again");
      start();
    }
  }

  /** Ends as a killed process does: the lease stays held until it runs out. */
  public void abandon() {
    guard.abandon();
    release(Duration.ZERO);
  }

  /** Releases the lease, so that another process need not wait. Blocks for at most the bound. */
  public void release(Duration bound) {
    CompletableFuture<?> running;
    synchronized (this) {
      released = true;
      running = election;
    }
    running.cancel(true); // the elector then writes an empty holder
    try {
      var _ = running.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (CancellationException | ExecutionException | TimeoutException e) {
      LOG.atDebug().log("election ended");
    }
  }
}
