package dev.runnerset.controller.config;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The taints that announce the end of a node (SD10).
 *
 * @param followed whether taints are followed at all; if not, only cordons are
 * @param others further keys of an administrator; {@code prefix/*} means all keys of that prefix
 */
public record LeavingTaints(boolean followed, Set<String> others) {
  /** Followed, and no others. */
  public static final LeavingTaints DEFAULT = new LeavingTaints(true, Set.of());

  /**
   * The taint by which the cluster autoscaler considers to remove a node. It comes and goes, so no
   * runner leaves for it alone (SD3).
   */
  public static final String CANDIDATE = "DeletionCandidateOfClusterAutoscaler";

  private static final Set<String> KNOWN =
      Set.of(
          "karpenter.sh/disrupted",
          "ToBeDeletedByClusterAutoscaler",
          "node.kubernetes.io/out-of-service",
          "aws-node-termination-handler/*",
          "cloud.google.com/impending-node-termination");

  /**
   * Taints that do not announce the end of a node: the node has them for life, or because of a
   * cordon. If they were listed, all idle runners would leave the node after each start of the
   * controller. The chart has the same list.
   */
  public static final Set<String> NEVER =
      Set.of(
          CANDIDATE,
          "kubernetes.azure.com/scalesetpriority",
          "cloud.google.com/gke-spot",
          "cloud.google.com/gke-preemptible",
          "eks.amazonaws.com/compute-type",
          "node-role.kubernetes.io/control-plane",
          "node.kubernetes.io/unschedulable",
          "nvidia.com/gpu");

  private static final String ALL_OF_PREFIX = "/*";
  private static final String PREFIX = "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/";

  /** As the API server takes it, or all of a prefix. */
  private static final Pattern KEY =
      Pattern.compile(
          "(" + PREFIX + ")?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?|" + PREFIX + "\\*");

  /** Rejects keys that cannot be meant, with a sentence that names the flag. */
  public LeavingTaints {
    others = Set.copyOf(others);
    others.stream().sorted().forEach(LeavingTaints::check);
  }

  private static void check(String key) {
    if (!KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          ("--leaving-node-taints: '%s' is no key of a taint: write the key alone, as"
                  + " example.com/going or example.com/*")
              .formatted(key));
    }
    NEVER.stream()
        .sorted()
        .filter(never -> matches(key, never))
        .findFirst()
        .ifPresent(never -> {
          throw new IllegalArgumentException(
              "--leaving-node-taints: '%s' does not announce the end of a node%s: leave it out"
                  .formatted(key, never.equals(key) ? "" : ", since it means " + never + ", too"));
        });
  }

  /** Whether that taint announces the end of its node. */
  public boolean announcesEnd(String key) {
    return followed
        && Stream.concat(KNOWN.stream(), others.stream()).anyMatch(listed -> matches(listed, key));
  }

  /** Whether that taint only makes its node a candidate. */
  public boolean isCandidate(String key) {
    return followed && key.equals(CANDIDATE);
  }

  private static boolean matches(String listed, String key) {
    return listed.endsWith(ALL_OF_PREFIX)
        ? key.startsWith(listed.substring(0, listed.length() - 1))
        : key.equals(listed);
  }
}
