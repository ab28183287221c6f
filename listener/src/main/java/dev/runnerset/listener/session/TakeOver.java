package dev.runnerset.listener.session;

import dev.runnerset.listener.session.SetWriter.FenceRead;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The taking of a set's fence (SF2): a renewed lease, the epoch as it is read plus one, before any
 * call to the service.
 */
final class TakeOver {
  private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
  private static final Duration LOOK_AT_LEASE = Duration.ofMillis(250);

  private final LoopContext context;
  private final Inbox inbox;

  TakeOver(LoopContext context) {
    this.context = context;
    this.inbox = context.inbox();
  }

  /** A fence that is ours. */
  record Fence(long epoch, long messageId, int scaleSetId) {}

  /** Waits for a renewal of the lease that is fresh, and younger than {@code after} if given. */
  void awaitLease(@Nullable Instant after) {
    while (!isRenewed(context.cluster().lease().renewedAt(), after)) {
      var _ = inbox.listenerOrExit();
      inbox.awaitOrExit(inbox.now().plus(LOOK_AT_LEASE));
    }
  }

  private boolean isRenewed(@Nullable Instant renewedAt, @Nullable Instant after) {
    return renewedAt != null
        && inbox.now().isBefore(renewedAt.plus(context.settings().lease().renewDeadline()))
        && (after == null || renewedAt.isAfter(after));
  }

  /**
   * Takes the fence of the set's object.
   *
   * <p>The epoch is above that of the listener object too: a re-created set object begins at 0, and
   * a number must not come twice.
   *
   * @return null when the set object is not the one that the listener object names
   * @throws KubeRefusal when the API server refuses for now
   */
  @Nullable Fence take(ListenerSnapshot listener, SessionStatus status) {
    var target = listener.spec().runnerSet();
    var floor = status.readEpoch();
    while (true) {
      var read = readOrNull(listener);
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
        return new Fence(epoch, read.messageId(), read.scaleSetId());
      } catch (KubeRefusal e) {
        if (e.kind() != KubeRefusal.Kind.STALE) {
          throw e;
        }
        var _ = inbox.listenerOrExit(); // somebody wrote in between: read again
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
