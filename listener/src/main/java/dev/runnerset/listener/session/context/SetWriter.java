package dev.runnerset.listener.session.context;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import org.jspecify.annotations.Nullable;

/**
 * Everything a listener writes (WR1). Each call blocks for its requests: mostly one, and one more
 * for the place that the demand had before (ADR 111). Safe for concurrent use. Each throws {@link
 * KubeRefusal} when what it does was not carried out.
 */
public interface SetWriter {
  /** Reads the fence of a set; null when the listener object is gone. */
  @Nullable FenceRead readFence(ListenerSnapshot listener);

  /** Writes the epoch, and the demand that was read, if no object changed since it was read. */
  void raiseEpoch(ListenerSnapshot listener, FenceRead read, long epoch);

  /**
   * Replaces the demand, if object and epoch are still the given ones.
   *
   * @param scaleSetId of which scale set the counts and the message are
   * @param marksVersion the highest {@link Marked#version} heard; 0 for none
   */
  void writeDemand(
      ListenerSnapshot listener, long epoch, int scaleSetId, long marksVersion, WriteDemand demand);

  /**
   * Writes what a message says of a runner's job onto the runner of that name.
   *
   * @param standing the mark that this process wrote onto the runner of that name before; null if
   *     it wrote none
   */
  Marked mark(ListenerTarget target, Mark mark, @Nullable Mark standing);

  /**
   * Replaces what the status says of the session, if object and epoch are still the given ones;
   * demand and fields of other versions stay.
   */
  void writeStatus(ListenerSnapshot listener, long epoch, AutoScalingListenerStatus status);

  /**
   * The fence of a set: the status of its listener object.
   *
   * @param former where listeners of protocol level 1 have the fence; null if it cannot be used
   */
  record FenceRead(
      String resourceVersion, AutoScalingListenerStatus status, @Nullable Former former) {
    /** The highest epoch there is; 0 for none. */
    public long epoch() {
      long epoch = status.epoch() == null ? 0 : status.epoch();
      return former == null ? epoch : Math.max(epoch, former.epoch());
    }

    /** Whether the holder with that epoch may still write. */
    public boolean isHeldBy(long epoch) {
      return status.epoch() != null && status.epoch() == epoch && epoch() == epoch;
    }

    /** The last demand that was written; null for none. */
    public @Nullable Demand demand() {
      return Demand.later(status.demand(), former == null ? null : former.demand());
    }
  }

  /**
   * The fence in the status of the EphemeralRunnerSet (ADR 111).
   *
   * @param demand null for none
   */
  record Former(String resourceVersion, @Nullable Demand demand) {
    /** The epoch; 0 for none. */
    public long epoch() {
      return demand == null ? 0 : demand.epoch();
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
}
