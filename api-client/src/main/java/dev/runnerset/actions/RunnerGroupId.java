package dev.runnerset.actions;

/** The id of a runner group. */
public record RunnerGroupId(int value) {
  /** The default group, which every scope has (protocol 3.1). */
  public static final RunnerGroupId DEFAULT = new RunnerGroupId(1);

  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
