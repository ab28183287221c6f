package dev.runnerset.service;

/** The answer to the opening of a message session (protocol 3.10). */
public sealed interface OpenSessionResult {
  /** The session is open. */
  record Opened(MessageSession session) implements OpenSessionResult {}

  /** Another session is open; the service forgets it about 90 s after its last contact. */
  record Conflict() implements OpenSessionResult {}
}
