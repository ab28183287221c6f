package dev.runnerset.listener.session.context;

/** What is wanted of a loop. */
public sealed interface DesiredState {
  /** Hold the session of this listener object; if the object is being deleted, end the session. */
  record Hold(ListenerSnapshot listener) implements DesiredState {}

  /** Stop. */
  record Stop(StopReason reason) implements DesiredState {}

  /** Why a loop has to stop. */
  enum StopReason {
    /** The process ends: the loop finishes the message in hand and closes the session. */
    SHUTDOWN,
    /** The listener object is gone: the loop closes the session and writes nothing. */
    GONE,
    /** Another process may hold the lease: the loop touches nothing. */
    LEASE_LOST
  }
}
