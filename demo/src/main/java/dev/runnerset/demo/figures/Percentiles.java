package dev.runnerset.demo.figures;

import java.time.Duration;
import java.util.List;

/** Times in milliseconds; 0 when nothing was measured. */
public record Percentiles(long p50, long p99, long max, int count) {
  /** Of these times, in any order. */
  public static Percentiles of(List<Duration> times) {
    var sorted = times.stream().map(Duration::toMillis).sorted().toList();
    if (sorted.isEmpty()) {
      return new Percentiles(0, 0, 0, 0);
    }
    return new Percentiles(at(sorted, 0.50), at(sorted, 0.99), sorted.getLast(), sorted.size());
  }

  /** The nearest rank: the smallest time that at least that share does not exceed. */
  private static long at(List<Long> sorted, double share) {
    int rank = (int) Math.ceil(share * sorted.size());
    return sorted.get(Math.max(0, rank - 1));
  }
}
