package dev.runnerset.listener.session;

import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.LoopExit;
import dev.runnerset.listener.session.context.SetWriter.FenceRead;
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
   * Takes the fence of the set's object: what stood there, with the epoch that stands there now.
   *
   * <p>The epoch is above that of the listener object too: a re-created EphemeralRunnerSet begins
   * at 0, and no epoch may come twice.
   *
   * @return null when the EphemeralRunnerSet has another uid than the listener object names
   * @throws KubeRefusal when the API server refuses for now
   */
  @Nullable FenceRead take(ListenerSnapshot listener, SessionStatus status) {
    var target = listener.spec().runnerSet();
    var floor = status.readEpoch();
    while (true) {
      var read = readOrNull(listener);
      inbox.progress();
      if (read == null || !read.uid().equals(target.uid())) {
        return null;
      }
      var epoch = Math.max(read.epoch(), floor) + 1;
      try {
        context.cluster().writer().raiseEpoch(target, read, epoch);
        LOG.atInfo()
            .addKeyValue("listener", listener.name())
            .addKeyValue("epoch", epoch)
            .log("took the fence of a set");
        return read.withEpoch(epoch);
      } catch (KubeRefusal e) {
        if (e.kind() != KubeRefusal.Kind.STALE) {
          throw e;
        }
        var _ = inbox.listenerOrExit(); // another write came first: read again
      }
    }
  }

  private @Nullable FenceRead readOrNull(ListenerSnapshot listener) {
    try {
      return context.cluster().writer().readFence(listener.spec().runnerSet());
    } catch (KubeRefusal e) {
      if (e.kind() == KubeRefusal.Kind.GONE) {
        return null;
      }
      throw e;
    }
  }
}
