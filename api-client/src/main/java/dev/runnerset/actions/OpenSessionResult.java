package dev.runnerset.actions;

/** The answer to the opening of a message session (protocol 3.10). */
public sealed interface OpenSessionResult {
  /** The session is open. */
  record Opened(MessageSession session) implements OpenSessionResult {}

  /**
   * Another session is open; the service forgets it about 90 s after its last contact.
   *
   * @param words the service's message; the legacy flavour names the owner there (protocol 2.6)
   */
  record Conflict(String words) implements OpenSessionResult {}

  /**
   * The service opened a session that cannot be polled (seen live, protocol 3.10). The session
   * holds the scale set all the same: delete it before opening another.
   *
   * @param lacks what the answer lacks, for people
   */
  record Unusable(SessionId session, String lacks) implements OpenSessionResult {}
}
