package dev.runnerset.controller.metrics;

/** Why a finished runner was deleted: the values of the label {@code reason} of retention. */
public enum DeletedFor implements Word {
  /** Its time was over. */
  TTL,
  /** Its set keeps fewer runners. */
  LIMIT
}
