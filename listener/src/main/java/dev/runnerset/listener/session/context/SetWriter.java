package dev.runnerset.listener.session.context;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import org.jspecify.annotations.Nullable;

/**
 * Everything a listener writes (WR1). Each call is one request and blocks for it, but for {@link
 * #mark}, which may need a second one. Safe for concurrent use. Each throws {@link KubeRefusal}
 * when the request was not carried out.
 */
public interface SetWriter {
  /**
   * Reads the fence of a set. It is read with an empty patch, since patch is the only verb granted.
   */
  FenceRead readFence(ListenerTarget target);

  /** Writes the epoch, if the EphemeralRunnerSet did not change since it was read. */
  void raiseEpoch(ListenerTarget target, FenceRead read, long epoch);

  /**
   * Replaces the demand, if object and epoch are still the given ones.
   *
   * @param scaleSetId of which scale set the counts and the message are
   * @param marksVersion the highest {@link Marked#version} heard; 0 for none
   */
  void writeDemand(
      ListenerTarget target, long epoch, int scaleSetId, long marksVersion, WriteDemand demand);

  /**
   * Writes what a message says of a runner's job onto the runner of that name.
   *
   * @param standing the mark that this process wrote onto the runner of that name before; null if
   *     it wrote none
   */
  Marked mark(ListenerTarget target, Mark mark, @Nullable Mark standing);

  /** Reads the status of the listener object; null when the object is gone. */
  @Nullable ListenerRead readListener(ListenerSnapshot listener);

  /** Replaces the status of the listener object, if the object did not change since it was read. */
  void claimListener(
      ListenerSnapshot listener, String resourceVersion, AutoScalingListenerStatus status);

  /** Replaces the status of the listener object, if object and epoch are still the given ones. */
  void updateListener(ListenerSnapshot listener, long epoch, AutoScalingListenerStatus status);

  /**
   * The fence of a set.
   *
   * @param epoch 0 when there is none
   * @param messageId the last message reported; 0 for none
   * @param scaleSetId of which scale set the message is; 0 when that is not known
   * @param marksVersion that of the last demand; 0 for none
   */
  record FenceRead(
      String uid,
      String resourceVersion,
      long epoch,
      long messageId,
      int scaleSetId,
      long marksVersion) {
    /** The same with another epoch. */
    public FenceRead withEpoch(long raised) {
      return new FenceRead(uid, resourceVersion, raised, messageId, scaleSetId, marksVersion);
    }
  }

  /**
   * What became of a mark.
   *
   * @param stands false when the runner is another registration; then the mark was taken back, and
   *     the one that stood before stands again if it is of that registration
   * @param version the runner's resourceVersion after the mark; 0 if it is no number, or if the
   *     runner is of no set
   */
  record Marked(boolean stands, long version) {}

  /** A listener object. */
  record ListenerRead(String resourceVersion, AutoScalingListenerStatus status) {}
}
