package dev.runnerset.e2e.world;

/** Plays worlds, and tells of those that do not hold. */
final class Worlds {
  private Worlds() {}

  /** Plays one world; a failing one is played again, and tells what happened. */
  static World.Result play(World.Kind kind, long seed) {
    var world = new World(kind, seed, Bugs.NONE, false);
    try {
      return world.run();
    } catch (Violation | RuntimeException e) {
      throw violation(kind, seed, Bugs.NONE, e);
    }
  }

  /** The violation of a world, with its trace. */
  static AssertionError violation(World.Kind kind, long seed, Bugs bugs, Throwable first) {
    var again = new World(kind, seed, bugs, true);
    Throwable second;
    try {
      again.run();
      second = new IllegalStateException("played again, it holds: a world must follow its seed");
    } catch (Violation | RuntimeException e) {
      second = e;
    }
    return new AssertionError(
        again + ": " + first.getMessage() + "\n" + again.trace + "\n" + second, second);
  }
}
