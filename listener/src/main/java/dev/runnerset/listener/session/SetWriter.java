package dev.runnerset.listener.session;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import org.jspecify.annotations.Nullable;

/**
 * Everything a listener writes (WR1). Each call is one request, blocks for it, is safe for
 * concurrent use, and throws {@link KubeRefusal} when it was not carried out.
 */
public interface SetWriter {
  /**
   * The fence of a set as it stands: read with an empty patch, the one verb granted.
   *
   * @param epoch 0 when there was none
   */
  FenceRead readFence(ListenerTarget target);

  /** Sets the epoch, if the set's object is still the one that was read. */
  void raiseEpoch(ListenerTarget target, FenceRead read, long epoch);

  /**
   * Replaces the demand, if the epoch is still ours.
   *
   * @param scaleSetId of which scale set the numbers and the message are
   */
  void writeDemand(ListenerTarget target, long epoch, int scaleSetId, WriteDemand demand);

  /**
   * Writes what a message says of a runner's job onto the runner of that name.
   *
   * @return false when the runner is known to be another registration: then nothing stays written
   */
  boolean mark(ListenerTarget target, Mark mark);

  /** The listener object's status as the server has it, or null when the object is gone. */
  @Nullable ListenerRead readListener(ListenerSnapshot listener);

  /** Replaces the status of the listener object, if it is still as read. */
  void claimListener(
      ListenerSnapshot listener, String resourceVersion, AutoScalingListenerStatus status);

  /** Replaces the status of the listener object, if its epoch is still the given one. */
  void updateListener(ListenerSnapshot listener, long epoch, AutoScalingListenerStatus status);

  /**
   * The fence of a set.
   *
   * @param scaleSetId of which scale set the message is; 0 when that is not known
   */
  record FenceRead(
      String uid, String resourceVersion, long epoch, long messageId, int scaleSetId) {}

  /** A listener object. */
  record ListenerRead(String resourceVersion, AutoScalingListenerStatus status) {}
}
