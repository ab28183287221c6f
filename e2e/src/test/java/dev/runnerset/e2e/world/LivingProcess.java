package dev.runnerset.e2e.world;

/** A process of ours: it lives until it dies in one of its requests, or is killed. */
abstract class LivingProcess {
  final World world;
  private final String name;
  private boolean alive = true;

  LivingProcess(World world, String name) {
    this.world = world;
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean isAlive() {
    return alive;
  }

  /** Ends the process; what it was doing goes no further than its next request. */
  void die() {
    if (alive) {
      alive = false;
      died();
    }
  }

  abstract void died();

  /** A dead process sends nothing; while a living one waits for its request, others act. */
  void beforeRequest() {
    if (!alive) {
      throw new Crash();
    }
    if (world.chance.oneIn(12)) {
      world.othersAct();
      if (!alive) {
        throw new Crash();
      }
    }
  }
}
