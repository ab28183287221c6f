package dev.runnerset.controller.features.leftovers;

import java.time.Duration;

/** The times of the search for left-overs. */
final class LeftOverTimes {
  /** The garbage collector, and the deletion of a runner, take less (RN20). */
  static final Duration STANDS_FOR = Duration.ofMinutes(2);

  /** The longest random delay before a set is read after a change of its runners (RN20). */
  static final Duration JITTER = Duration.ofMinutes(5);

  /** How long GitHub is not asked for a list that it refused to the credentials (RN20). */
  static final Duration REFUSED_FOR = Duration.ofHours(6);

  private LeftOverTimes() {}
}
