package dev.runnerset.e2e.world;

/** An invariant does not hold, or the world does not settle. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final String rule;

  /**
   * A violation.
   *
   * @param rule as {@code I1}, or {@code settles}
   */
  Violation(String rule, String what) {
    super(rule + ": " + what);
    this.rule = rule;
  }

  String rule() {
    return rule;
  }
}
