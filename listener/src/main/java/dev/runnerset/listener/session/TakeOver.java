package dev.runnerset.listener.session;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.Demand;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.LoopExit;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the fence of a set (SF2): waits for a renewal of the lease, then writes an epoch one above
 * that which was read. No call to the service comes before. Used by the loop's thread.
 */
final class TakeOver {
  private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
  private static final Duration BETWEEN_LEASE_READS = Duration.ofMillis(250);

  private final LoopContext context;
  private final Inbox inbox;

  TakeOver(LoopContext context) {
    this.context = context;
    this.inbox = context.inbox();
  }

  /**
   * Blocks until the lease was renewed a short time ago, and after the instant if one is given.
   *
   * @throws LoopExit when the loop has to stop
   */
  void awaitLease(@Nullable Instant after) {
    while (!isRenewed(context.cluster().leaseRenewedAt().get(), after)) {
      var _ = inbox.listenerOrExit();
      inbox.awaitOrExit(inbox.now().plus(BETWEEN_LEASE_READS));
    }
  }

  private boolean isRenewed(@Nullable Instant renewedAt, @Nullable Instant after) {
    return renewedAt != null
        && inbox.now().isBefore(renewedAt.plus(context.settings().lease().renewDeadline()))
        && (after == null || renewedAt.isAfter(after));
  }

  /**
   * Takes the fence of the set: what was there, under a higher epoch.
   *
   * @throws LoopExit when the listener object is gone
   * @throws KubeRefusal when the API server refuses for now
   */
  Fence take(ListenerSnapshot listener) {
    while (true) {
      var read = context.cluster().writer().readFence(listener);
      inbox.progress();
      if (read == null) {
        throw new LoopExit(LoopExit.Why.GONE);
      }
      long epoch = read.epoch() + 1;
      try {
        context.cluster().writer().raiseEpoch(listener, read, epoch);
        LOG.atInfo()
            .addKeyValue("listener", listener.name())
            .addKeyValue("epoch", epoch)
            .log("took the fence of a set");
        return new Fence(epoch, read.status(), read.demand());
      } catch (KubeRefusal e) {
        if (e.kind() != KubeRefusal.Kind.STALE) {
          throw e;
        }
        var _ = inbox.listenerOrExit(); // another write came first: read again
      }
    }
  }

  /**
   * A fence that was taken.
   *
   * @param before the status of the listener object as it was
   * @param demand the last one that was written; null for none
   */
  record Fence(long epoch, AutoScalingListenerStatus before, @Nullable Demand demand) {}
}
