package dev.runnerset.controller.metrics;

/** What a running job was lost by: the values of the label {@code cause}. */
public enum LostBy implements Word {
  /** Somebody deleted the pod. */
  POD_DELETED,
  /** The pod is gone, as with its node. */
  POD_LOST,
  /** The pod was evicted, as in a drain, or preempted. */
  EVICTED,
  /** The node went down. */
  NODE_DOWN,
  /** The container needed more memory than its limit. */
  OUT_OF_MEMORY,
  /** The runner's container ended with an error. */
  EXITED,
  /** A person forced the deletion of the runner. */
  FORCED,
  /** The kubelet ended the pod at the end of its lifetime. */
  LIFETIME,
  /** Anything else. */
  OTHER;

  /**
   * What a runner with a job failed by.
   *
   * @param reason of its failure: our word, or the kubelet's
   */
  public static LostBy of(String reason) {
    return switch (reason) {
      case "PodDeleted" -> POD_DELETED;
      case "PodLost" -> POD_LOST;
      case "Evicted",
          "Preempting",
          "Preempted",
          "EvictionByEvictionAPI",
          "PreemptionByScheduler",
          "TerminationByKubelet" ->
          EVICTED;
      case "NodeLost",
          "NodeShutdown",
          "Shutdown",
          "Terminated",
          "DeletionByTaintManager",
          "DeletionByPodGC" ->
          NODE_DOWN;
      case "ForcedDeletion" -> FORCED;
      case "OOMKilled" -> OUT_OF_MEMORY;
      case "ContainerExited" -> EXITED;
      case "DeadlineExceeded" -> LIFETIME;
      default -> OTHER;
    };
  }
}
