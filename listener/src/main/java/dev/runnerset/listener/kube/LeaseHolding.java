package dev.runnerset.listener.kube;

import dev.runnerset.listener.session.HolderLease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import java.time.Clock;
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
 * The lease that decides which process listens: acquired, renewed, and after a loss acquired again,
 * until it is released.
 */
public final class LeaseHolding {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseHolding.class);

  private final KubernetesClient client;
  private final RenewedLease lease;
  private final Times times;
  private final Runnable gained;
  private final Runnable lost;
  private final Executor executor;

  private CompletableFuture<?> election = new CompletableFuture<>(); // guarded by this
  private boolean released; // guarded by this

  /** How long a lease lasts, until when its holder tries to renew it, and how often. */
  public record Times(Duration lease, Duration renewDeadline, Duration retry) {}

  /**
   * Nothing is done yet.
   *
   * @param gained called when the lease is ours; must not block
   * @param lost called when it no longer is; must not block
   */
  public LeaseHolding(
      KubernetesClient client,
      String namespace,
      String name,
      String identity,
      Times times,
      Clock clock,
      Runnable gained,
      Runnable lost,
      Executor executor) {
    this.client = client;
    this.lease = new RenewedLease(namespace, name, identity, clock);
    this.times = times;
    this.gained = gained;
    this.lost = lost;
    this.executor = executor;
  }

  /** The lease, for take-overs. */
  public HolderLease lease() {
    return lease;
  }

  /** Begins to try, and goes on until {@link #release}. */
  public synchronized void start() {
    if (released) {
      return;
    }
    var config =
        new LeaderElectionConfig(
            lease,
            times.lease(),
            times.renewDeadline(),
            times.retry(),
            new LeaderCallbacks(gained, this::ended, holder -> {}),
            true,
            lease.describe());
    election = new LeaderElector(client, config, executor).start();
    // with a pause, so that nothing that ends an election at once can make this hot
    var later =
        CompletableFuture.delayedExecutor(
            times.retry().toMillis(), TimeUnit.MILLISECONDS, executor);
    var _ = election.whenCompleteAsync((_, _) -> again(), later);
  }

  private void ended() {
    lease.lost();
    lost.run();
  }

  private synchronized void again() {
    if (!released) {
      LOG.atWarn().addKeyValue("lease", lease.describe()).log("lease lost; trying to get it again");
      start();
    }
  }

  /** Ends as a killed process does: the lease stays held until it runs out. */
  public void abandon() {
    lease.abandon();
    release(Duration.ZERO);
  }

  /** Gives the lease up, so that another process need not wait; blocks for at most the bound. */
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
