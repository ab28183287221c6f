package dev.runnerset.listener.session;

/** What is wanted of a loop. */
public sealed interface DesiredState {
  /** Hold the session of this listener object; if it is being deleted, end it cleanly. */
  record Hold(ListenerSnapshot listener) implements DesiredState {}

  /** End. */
  record Stop(StopReason reason) implements DesiredState {}

  /** Why a loop has to end. */
  enum StopReason {
    /** The process ends: the message in hand is finished, the session closed. */
    SHUTDOWN,
    /** The object is gone: the session is closed, nothing is written. */
    GONE,
    /** Another process may hold the lease: nothing is touched. */
    LEASE_LOST
  }
}
