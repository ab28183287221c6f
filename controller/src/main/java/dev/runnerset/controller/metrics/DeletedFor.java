package dev.runnerset.controller.metrics;

/** Why a finished runner was deleted: the values of the label {@code reason} of retention. */
public enum DeletedFor {
  /** Its time was over. */
  TTL("ttl"),
  /** Its set keeps fewer runners. */
  LIMIT("limit");

  private final String word;

  DeletedFor(String word) {
    this.word = word;
  }

  /** The value of the label. */
  public String word() {
    return word;
  }
}
