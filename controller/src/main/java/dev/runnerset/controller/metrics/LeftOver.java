package dev.runnerset.controller.metrics;

/** What is without its other half: the values of the label {@code kind}. */
public enum LeftOver implements Word {
  /** A registration of the set without a resource. */
  REGISTRATION,
  /** A runner whose container runs, and that the service does not know. */
  RESOURCE,
  /** A pod of a runner that is gone. */
  POD,
  /** A secret of a runner that is gone. */
  SECRET;

  /** What became of one: the values of the label {@code result}. */
  public enum Result implements Word {
    /** It was there, and is gone now. */
    REMOVED,
    /** It was gone already. */
    GONE,
    /** The service says that it has a job: it stays until that is over. */
    BUSY,
    /** It is of another scale set, or nobody can tell: it stays. */
    FOREIGN,
    /** It could not be removed: tried again. */
    FAILED;
  }
}
