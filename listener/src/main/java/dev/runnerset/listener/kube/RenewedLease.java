package dev.runnerset.listener.kube;

import dev.runnerset.listener.session.context.LoopContext.HolderLease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lease that remembers when this process renewed it last: a take-over needs that (SF2). */
public final class RenewedLease implements Lock, HolderLease {
  private final LeaseLock lease;
  private final String identity;
  private final Clock clock;
  private volatile @Nullable Instant renewedAt;
  private volatile boolean abandoned;

  /** A lease that this process may come to hold; nothing is read yet. */
  public RenewedLease(String namespace, String name, String identity, Clock clock) {
    this.lease = new LeaseLock(namespace, name, identity);
    this.identity = identity;
    this.clock = clock;
  }

  @Override
  public LeaderElectionRecord get(KubernetesClient client) {
    return lease.get(client);
  }

  @Override
  public void create(KubernetesClient client, LeaderElectionRecord held) {
    var begin = clock.instant();
    lease.create(client, held);
    written(held, begin);
  }

  @Override
  public void update(KubernetesClient client, LeaderElectionRecord held) {
    if (abandoned) {
      throw new IllegalStateException("abandoned");
    }
    var begin = clock.instant(); // the lease runs from before the request, not from its answer
    lease.update(client, held);
    written(held, begin);
  }

  private void written(LeaderElectionRecord held, Instant begin) {
    renewedAt = identity.equals(held.getHolderIdentity()) ? begin : null;
  }

  /** This process holds it no longer. */
  void lost() {
    renewedAt = null;
  }

  /** Writes nothing any more, as if the process had died. */
  void abandon() {
    abandoned = true;
    renewedAt = null;
  }

  @Override
  public String identity() {
    return lease.identity();
  }

  @Override
  public String describe() {
    return lease.describe();
  }

  @Override
  public @Nullable Instant renewedAt() {
    return renewedAt;
  }
}
