package dev.runnerset.controller.timing;

import java.time.Duration;
import java.time.Instant;

/** The time that must pass between two acts of one kind. */
public final class Pause {
  private Pause() {}

  /**
   * Whether it is too early for the next act. An instant further away than the longest pause was
   * noted before the clock stepped back: waiting for it could take for ever.
   *
   * @param notBefore as noted at the last act
   * @param longest that a pause of this kind can be
   */
  public static boolean isOn(Instant notBefore, Duration longest, Instant now) {
    return now.isBefore(notBefore) && !now.plus(longest).isBefore(notBefore);
  }
}
