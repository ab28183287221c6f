package dev.runnerset.controller.metrics;

import java.util.Locale;

/** Calls of the Actions service: the values of the label {@code operation}. */
public enum ServiceOperation {
  RUNNER_GROUP,
  FIND_SCALE_SET,
  SCALE_SET,
  CREATE_SCALE_SET,
  UPDATE_SCALE_SET,
  DELETE_SCALE_SET,
  JIT_CONFIG,
  RUNNER,
  RUNNER_NAMED,
  LIST_RUNNERS,
  REMOVE_RUNNER,
  OPEN_SESSION,
  DELETE_SESSION;

  /** The value of the label. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
