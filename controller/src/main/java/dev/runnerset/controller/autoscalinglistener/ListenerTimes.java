package dev.runnerset.controller.autoscalinglistener;

import java.time.Duration;

/** The times of listener objects and of the processes that hold them. */
final class ListenerTimes {
  /** After a lease has run out: a renewal may be on its way (SF10). */
  static final Duration SLACK = Duration.ofSeconds(2);

  /** How long a process may have no lease at all, as before its lease was seen (SF10). */
  static final Duration WITHOUT_LEASE = Duration.ofSeconds(10);

  /** How long the API server refuses to be asked, before the sets say so (SF10). */
  static final Duration REFUSED_FOR = Duration.ofSeconds(20);

  /**
   * Between two reads by a name that nothing has: an open watch hides that a right is gone (SF10).
   */
  static final Duration PROBED_EVERY = Duration.ofSeconds(10);

  /**
   * How long the listener has to end its session: a listener that no longer runs never does (DL2).
   */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** No event reports that the set of a listener object went without us (DL9). */
  static final Duration SET_CHECKED_EVERY = Duration.ofSeconds(30);

  private ListenerTimes() {}
}
