package dev.runnerset.controller.autoscalingrunnerset.registration;

import java.time.Duration;

/** The times of a scale set's registration and of its checks. */
final class RegistrationTimes {
  /** How long after the intent the service may carry the request out: the bound of a call (NM5). */
  static final Duration CARRIED_OUT_WITHIN = Duration.ofSeconds(20);

  /**
   * How far the clocks of service and controller may differ; beyond that the user is asked (NM5).
   */
  static final Duration SKEW = Duration.ofSeconds(60);

  /** How often the scale set is checked while the listener has no connection (NM5). */
  static final Duration DOUBT_EVERY = Duration.ofMinutes(5);

  private RegistrationTimes() {}
}
