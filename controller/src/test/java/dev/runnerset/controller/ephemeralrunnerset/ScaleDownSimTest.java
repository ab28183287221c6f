package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The decision core in virtual time against a service that hands out jobs as it likes: marks lost,
 * late and twice, statistics late, caches stale, the controller's memory lost.
 */
class ScaleDownSimTest {
  private static final int SEEDS = 2000;

  @Test
  void whateverIsLostNoJobIsAndTheSetSettles() {
    int refused = 0;
    int removed = 0;
    int hung = 0;
    int lost = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = new SimWorld(seed, false);
      world.run();
      refused += world.refused();
      removed += world.removed();
      hung += world.hung();
      lost += world.lost();
    }
    assertThat(hung).as("containers that hung").isGreaterThan(SEEDS / 10);
    assertThat(lost).as("idle runners lost").isGreaterThan(SEEDS / 50);
    assertThat(refused).as("refusals met by all seeds").isGreaterThan(SEEDS / 10);
    assertThat(removed).as("removals of all seeds").isGreaterThan(SEEDS / 10);
  }

  @Test
  void i9WhenNothingIsLostOneRunnerIsMadeForEachJobAndNoneIsRemoved() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = new SimWorld(seed, true);
      world.run();
      assertThat(world.made()).as("seed " + seed + ": made").isEqualTo(world.jobs() + world.min());
      assertThat(world.requests()).as("seed " + seed + ": removal requests").isZero();
    }
  }
}
