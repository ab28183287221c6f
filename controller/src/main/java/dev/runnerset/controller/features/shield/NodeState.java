package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.removal.NodeFate;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Why a node is to be left, as this process knows it (SD10).
 *
 * @param sinceByReason since when it has each reason: {@link #CORDON}, or the key of a taint
 * @param candidate whether the cluster autoscaler considers to remove it (SD3)
 */
@Pure
record NodeState(Map<String, Instant> sinceByReason, boolean candidate) {
  /** No key of a taint is empty. */
  static final String CORDON = "";

  /** Nothing says that it goes. */
  static final NodeState STAYS = new NodeState(Map.of(), false);

  NodeState {
    sinceByReason = Map.copyOf(sinceByReason);
  }

  /**
   * The state of a node as it is seen now. A reason that it had before keeps its time.
   *
   * @param taints the keys of all its taints
   */
  NodeState next(
      LeavingTaints listed, boolean unschedulable, Collection<String> taints, Instant now) {
    var since = new TreeMap<String, Instant>();
    if (unschedulable) {
      since.put(CORDON, now);
    }
    taints.stream().filter(listed::announcesEnd).forEach(key -> since.put(key, now));
    since.replaceAll((reason, isNew) -> sinceByReason.getOrDefault(reason, isNew));
    return new NodeState(since, taints.stream().anyMatch(listed::isCandidate));
  }

  /** What that means for a runner that was made then and is on the node. */
  NodeFate fate(Instant created) {
    var leaveFrom =
        sinceByReason.entrySet().stream()
            .filter(e -> created.isBefore(e.getValue().plus(ShieldTimes.SCHEDULER_LAG)))
            .map(NodeState::countsFrom)
            .min(Instant::compareTo);
    var taint = taint();
    return new NodeFate(
        leaveFrom.orElse(null),
        taint.map(Map.Entry::getKey).orElse(null),
        taint.map(NodeState::countsFrom).orElse(null),
        candidate);
  }

  /** The taint that it has for the longest time. */
  private Optional<Map.Entry<String, Instant>> taint() {
    return sinceByReason.entrySet().stream()
        .filter(e -> !e.getKey().equals(CORDON))
        .min(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry::getKey));
  }

  private static Instant countsFrom(Map.Entry<String, Instant> reason) {
    return reason.getKey().equals(CORDON)
        ? reason.getValue()
        : reason.getValue().plus(ShieldTimes.TAINT_COUNTS_AFTER);
  }
}
