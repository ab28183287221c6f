package dev.runnerset.controller.features.shield;

import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.hooks.NodesToLeave;
import dev.runnerset.controller.removal.NodeFate;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that are cordoned, or that a taint says are about to go, and since when this process
 * knows it. Empty while nodes cannot be watched. Thread-safe.
 */
public final class LeavingNodes implements NodesToLeave {
  private final LeavingTaints listed;
  private final Map<String, NodeState> byNode = new ConcurrentHashMap<>();
  private final AtomicLong version = new AtomicLong();

  /** No node is known yet. */
  public LeavingNodes(LeavingTaints listed) {
    this.listed = listed;
  }

  /** Which taints count. */
  LeavingTaints listed() {
    return listed;
  }

  /**
   * A node is there, and is like that. Not for two threads at the same time.
   *
   * @param taints the keys of all its taints
   * @return whether that changes for what its runners are to leave it; that it is a candidate of
   *     the cluster autoscaler is no reason for that
   */
  public boolean seen(String node, boolean unschedulable, Collection<String> taints, Instant now) {
    var before = byNode.getOrDefault(node, NodeState.STAYS);
    return put(node, before, before.next(listed, unschedulable, taints, now));
  }

  /** The node is gone; the result is as of {@link #seen}. */
  public boolean gone(String node) {
    return put(node, byNode.getOrDefault(node, NodeState.STAYS), NodeState.STAYS);
  }

  private boolean put(String node, NodeState before, NodeState now) {
    if (now.equals(before)) {
      return false;
    }
    if (now.equals(NodeState.STAYS)) {
      byNode.remove(node);
    } else {
      byNode.put(node, now);
    }
    version.incrementAndGet(); // after the change: who reads it before reads the set again
    return !now.sinceByReason().equals(before.sinceByReason());
  }

  @Override
  public long version() {
    return version.get();
  }

  @Override
  public NodeFate of(@Nullable String node, Instant created) {
    var state = node == null ? null : byNode.get(node);
    return state == null ? NodeFate.STAYS : state.fate(created);
  }
}
