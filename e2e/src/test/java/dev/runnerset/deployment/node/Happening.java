package dev.runnerset.deployment.node;

import java.time.Instant;

/**
 * Something that the node did or saw of a pod.
 *
 * @param detail the exit code, the failed probe, or what the node cannot do; may be empty
 */
public record Happening(Instant at, String namespace, String pod, Kind kind, String detail) {
  /** What it was. */
  public enum Kind {
    BOUND,
    STARTED,
    READY,
    UNREADY,
    PROBE_FAILED,
    TERMINATED,
    KILLED,
    EXITED,
    UNPLAYABLE,
    GONE
  }

  @Override
  public String toString() {
    return at + " " + namespace + "/" + pod + " " + kind + (detail.isEmpty() ? "" : " " + detail);
  }
}
