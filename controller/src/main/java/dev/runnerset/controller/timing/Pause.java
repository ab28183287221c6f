package dev.runnerset.controller.timing;

import java.time.Duration;
import java.time.Instant;

/** The time that must pass between two acts of one kind. */
public final class Pause {
  private Pause() {}

  /**
   * Whether it is too early for the next act. An instant much further away than the longest pause
   * was noted before the clock stepped back; a wait for it could take for ever. One that is a
   * little further away was noted by another thread, after this thread had read the clock.
   *
   * @param notBefore as noted at the last act
   * @param longest that a pause of this kind can be
   */
  public static boolean isOn(Instant notBefore, Duration longest, Instant now) {
    return now.isBefore(notBefore) && !now.plus(longest.multipliedBy(2)).isBefore(notBefore);
  }
}
