package dev.runnerset.controller.autoscalingrunnerset.events;

import java.time.Duration;

/** The times of the events of a set. */
final class SetEventTimes {
  /** How long the start of a set, or the next session of its listener, may take (EV1). */
  static final Duration START = Duration.ofSeconds(20);

  /** A pass that comes a little early repeats too: the next one may be five minutes later (EV2). */
  static final Duration AGAIN = Duration.ofSeconds(290);

  /** A problem that comes back sooner was not over (EV2). */
  static final Duration OVER = Duration.ofSeconds(10);

  /** How long the number of wanted runners must be the same before an event has it (EV3). */
  static final Duration SETTLED = Duration.ofSeconds(3);

  /** Between two events about scaling in one direction (EV3). */
  static final Duration AT_MOST_EVERY = Duration.ofSeconds(30);

  private SetEventTimes() {}
}
