package dev.runnerset.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * How chaos goes.
 *
 * @param seed every choice follows from it: the order of the faults, the jobs, the moments
 * @param rounds how often all faults come
 * @param only the faults that come; none for all
 */
record ChaosOptions(long seed, int rounds, List<String> only) {
  ChaosOptions {
    assertThat(ChaosFaults.all()).extracting(ChaosFault::id).containsAll(only);
    only = List.copyOf(only);
  }

  /** Of the system properties chaos.seed, chaos.rounds and chaos.faults, with commas. */
  static ChaosOptions ofProperties() {
    var faults = System.getProperty("chaos.faults", "");
    return new ChaosOptions(
        Long.getLong("chaos.seed", 1),
        Integer.getInteger("chaos.rounds", 1),
        faults.isEmpty() ? List.of() : List.of(faults.split(",")));
  }
}
