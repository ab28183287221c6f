package dev.runnerset.actions;

/** The answer to the opening of a message session (protocol 3.10). */
public sealed interface OpenSessionResult {
  /** The session is open. */
  record Opened(MessageSession session) implements OpenSessionResult {}

  /**
   * Another session is open; the service forgets it about 90 s after its last contact.
   *
   * @param words what the service says of it; the legacy flavour names its owner (protocol 2.6)
   */
  record Conflict(String words) implements OpenSessionResult {}

  /**
   * A session was opened that cannot be polled (seen live, protocol 3.10). It holds the scale set
   * all the same: delete it before another is opened.
   *
   * @param lacks what the answer lacks, for people
   */
  record Unusable(SessionId session, String lacks) implements OpenSessionResult {}
}
