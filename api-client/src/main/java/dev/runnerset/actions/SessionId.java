package dev.runnerset.actions;

/** The id of a message session, a UUID in text. */
public record SessionId(String value) {
  @Override
  public String toString() {
    return value;
  }
}
