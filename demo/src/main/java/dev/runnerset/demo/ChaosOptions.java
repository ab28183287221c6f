package dev.runnerset.demo;

import java.util.List;

/**
 * How the scenario {@code chaos} goes.
 *
 * @param seed every choice follows from it: the order of the faults, the jobs, the moments
 * @param rounds how often all faults come
 * @param only the faults that come; none for all
 */
record ChaosOptions(long seed, int rounds, List<String> only) {
  static final ChaosOptions DEFAULTS = new ChaosOptions(1, 1, List.of());
}
