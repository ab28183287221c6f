package dev.runnerset.actions;

/** The id of a scale set. */
public record ScaleSetId(int value) {
  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
