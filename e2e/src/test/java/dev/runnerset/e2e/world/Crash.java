package dev.runnerset.e2e.world;

/** The process ends here: each later request of the process ends so, too. */
final class Crash extends Error {
  private static final long serialVersionUID = 1L;

  Crash() {
    super("the process is dead", null, false, false);
  }
}
