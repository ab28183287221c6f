package dev.runnerset.controller.metrics;

/** What became of a workflow run with lost jobs: the values of the label {@code result}. */
public enum RerunResult implements Word {
  /** GitHub began a new attempt. */
  ASKED,
  /** The rules say no. */
  WITHHELD,
  /** GitHub refused. */
  FAILED
}
