package dev.runnerset.e2e.world;

/**
 * A set of ours, and where its runners may be.
 *
 * @param max its {@code maxRunners}
 * @param min its first {@code minRunners}
 * @param cpu what one of its runners takes of a quota
 * @param pool the nodes that take its runners
 * @param fixedNodes whether that pool has no autoscaler
 * @param scheduling the minutes that a runner may wait for a node
 */
record OneSet(
    String name,
    String namespace,
    int max,
    int min,
    int cpu,
    String pool,
    boolean fixedNodes,
    int scheduling) {
  /** The only set of its world. */
  static OneSet alone(String name) {
    return new OneSet(name, "team", 0, 0, 0, "", false, 0);
  }
}
