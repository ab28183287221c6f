package dev.runnerset.actions;

/** The id of a registration. */
public record RunnerId(long value) {
  @Override
  public String toString() {
    return Long.toString(value);
  }
}
