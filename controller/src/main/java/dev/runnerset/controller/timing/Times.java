package dev.runnerset.controller.timing;

import java.time.Duration;

/** Times by which more than one decision goes. */
public final class Times {
  /** How long an end waits for the message that tells of it (LV3). */
  public static final Duration SETTLE = Duration.ofSeconds(30);

  /**
   * The first wait after a registration that was refused, and the pause of a set's tries (RN13).
   */
  public static final Duration REGISTRATION_RETRY = Duration.ofSeconds(5);

  /** The longest wait between two tries to register one runner (RN13). */
  public static final Duration LONGEST_REGISTRATION_RETRY = Duration.ofSeconds(10);

  private Times() {}
}
