package dev.runnerset.controller.metrics;

/** What the service answered to a removal request: the values of the label {@code result}. */
public enum RemovalAnswer implements Word {
  /** The registration is gone. */
  REMOVED,
  /** The runner has a job. */
  BUSY,
  /** There was no answer, or an error. */
  ERROR
}
