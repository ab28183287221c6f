package dev.runnerset.deployment.node;

/**
 * What the results of a probe amount to.
 *
 * @param passed the present verdict
 * @param inARow results in a row that speak against it
 */
record ProbeVerdict(boolean passed, int inARow) {
  /** Before the first result: a container is alive, and neither started nor ready. */
  static ProbeVerdict initially(boolean passed) {
    return new ProbeVerdict(passed, 0);
  }

  /** After one more result. */
  ProbeVerdict after(boolean success, ProbeRule.Thresholds thresholds) {
    if (success == passed) {
      return new ProbeVerdict(passed, 0);
    }
    int needed = success ? thresholds.successes() : thresholds.failures();
    return inARow + 1 >= needed
        ? new ProbeVerdict(success, 0)
        : new ProbeVerdict(passed, inARow + 1);
  }

  /** Whether a probe that has not passed yet has failed often enough to end the container. */
  boolean hasFailedBeforePassing(int failures, ProbeRule.Thresholds thresholds) {
    return !passed && failures >= thresholds.failures();
  }
}
