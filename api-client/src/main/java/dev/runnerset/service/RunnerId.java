package dev.runnerset.service;

/** The id of a registration. */
public record RunnerId(long value) {
  @Override
  public String toString() {
    return Long.toString(value);
  }
}
