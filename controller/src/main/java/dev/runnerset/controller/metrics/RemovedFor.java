package dev.runnerset.controller.metrics;

/** Why a runner was removed: the values of the label {@code reason}. */
public enum RemovedFor {
  /** Idle for too long. */
  AGE("age"),
  /** More runners than wanted. */
  CAPACITY("capacity"),
  /** Of another revision than wanted. */
  REVISION("revision"),
  /** Its container did not end after its job. */
  OVERDUE("overdue"),
  /** Registered for a scale set that the set no longer has. */
  SCALE_SET("scale_set"),
  /** On a cordoned node. */
  CORDONED("cordoned");

  private final String word;

  RemovedFor(String word) {
    this.word = word;
  }

  /** The value of the label. */
  public String word() {
    return word;
  }
}
