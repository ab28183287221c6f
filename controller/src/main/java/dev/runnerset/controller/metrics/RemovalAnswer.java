package dev.runnerset.controller.metrics;

/** What the service answered to a removal request: the values of the label {@code result}. */
public enum RemovalAnswer {
  /** The registration is gone. */
  REMOVED("removed"),
  /** The runner has a job. */
  BUSY("busy"),
  /** There was no answer, or an error. */
  ERROR("error");

  private final String word;

  RemovalAnswer(String word) {
    this.word = word;
  }

  /** The value of the label. */
  public String word() {
    return word;
  }
}
