package dev.runnerset.actions;

/** The answer to the request for a registration (protocol 3.8). */
public sealed interface JitConfigResult {
  /** A runner was registered; the config starts it once. */
  record Registered(RunnerReference runner, JitConfig config) implements JitConfigResult {}

  /**
   * A runner of that name exists, maybe from an earlier attempt whose answer was lost
   * (TaskAgentExistsException, protocol 2.6).
   */
  record NameTaken() implements JitConfigResult {}
}
