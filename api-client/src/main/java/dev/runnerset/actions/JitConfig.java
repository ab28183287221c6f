package dev.runnerset.actions;

/** The single-use credentials of one runner. Secret: never printed. */
public record JitConfig(String encoded) {
  @Override
  public String toString() {
    return "JitConfig[hidden]";
  }
}
