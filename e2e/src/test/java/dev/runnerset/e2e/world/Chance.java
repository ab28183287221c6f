package dev.runnerset.e2e.world;

import java.util.List;
import java.util.SplittableRandom;

/**
 * All chance of a world, drawn from its seed. Faults are counted: a world has so many and no more.
 */
final class Chance {
  final SplittableRandom random;
  private int faultsLeft;
  private int faults;

  Chance(long seed) {
    random = new SplittableRandom(seed);
  }

  /** From now on there are so many faults. */
  void faults(int most) {
    faultsLeft = most;
  }

  /** How many faults there were. */
  int faultsHit() {
    return faults;
  }

  boolean mayFail() {
    return faultsLeft > 0;
  }

  /** Whether something goes wrong here. */
  boolean fault(int oneIn) {
    if (faultsLeft > 0 && random.nextInt(oneIn) == 0) {
      faultsLeft--;
      faults++;
      return true;
    }
    return false;
  }

  /** No fault: what may always be so or not. */
  boolean oneIn(int many) {
    return random.nextInt(many) == 0;
  }

  long millis(int from, int to) {
    return from + random.nextInt(to - from + 1);
  }

  <T> T oneOf(List<T> things) {
    return things.get(random.nextInt(things.size()));
  }
}
