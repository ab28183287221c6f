package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.Pure;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What a set has runners for, or wants them for.
 *
 * @param own its assigned jobs and its idle runners
 * @param available the jobs that wait and are not given to a set yet
 * @param jobs equal for sets that the same jobs wait for
 */
@Pure
public record Waits(int own, int available, String jobs) {
  /**
   * The sets that the same jobs wait for.
   *
   * @param sets how many
   * @param available the most of these jobs that one of them knows of: a set without a place learns
   *     of them late
   */
  public record SameJobs(int sets, int available) {}

  /** These sets by their jobs. */
  public static Map<String, SameJobs> byJobs(Collection<Waits> all) {
    return all.stream()
        .collect(
            Collectors.toMap(
                Waits::jobs,
                waits -> new SameJobs(1, waits.available),
                (a, b) -> new SameJobs(a.sets + b.sets, Math.max(a.available, b.available))));
  }

  /**
   * How many runners: jobs that wait for several of these sets are counted once, in equal parts.
   *
   * @param all sets, and this one among them
   */
  public int among(Map<String, SameJobs> all) {
    var same = Objects.requireNonNull(all.get(jobs));
    return own + Math.ceilDiv(same.available(), same.sets());
  }
}
