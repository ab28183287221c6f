package dev.runnerset.crds;

import org.jspecify.annotations.Nullable;

/**
 * The level of what controller and listener tell each other in the objects of this module. It goes
 * up by one when a field gets another meaning, or when one program needs what the other did not
 * write before; a field that may be missing does not count. Neighbouring levels work together
 * (UP2).
 */
public final class ProtocolLevel {
  /** The level of this version. */
  public static final int OURS = 2;

  /** That of versions which did not write theirs. */
  private static final int UNWRITTEN = 0;

  private ProtocolLevel() {}

  /**
   * How many levels the other program is apart: negative for an older one; 0 while both work
   * together.
   *
   * @param other null if the other program wrote none
   */
  public static int apart(int ours, @Nullable Integer other) {
    int distance = (other == null ? UNWRITTEN : other) - ours;
    return Math.abs(distance) <= 1 ? 0 : distance;
  }
}
