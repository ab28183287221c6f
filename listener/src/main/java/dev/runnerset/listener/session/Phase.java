package dev.runnerset.listener.session;

/** Where a loop stands. */
enum Phase {
  /** Raise the epoch. */
  TAKE_OVER,
  /** Read the credentials, make the connection. */
  CONNECT,
  /** Delete the session found, open one. */
  OPEN,
  /** Write whose session it is, and the demand. */
  ANNOUNCE,
  /** Poll, apply, acknowledge. */
  POLL,
  /** The loop has ended. */
  DONE
}
