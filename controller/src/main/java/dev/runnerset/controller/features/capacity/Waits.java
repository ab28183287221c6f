package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.Pure;
import java.util.Collection;

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
   * How many runners: jobs that wait for several of these sets are counted once, in equal parts.
   */
  public int among(Collection<Waits> all) {
    int sets = 0;
    int most = available; // a set without a place learns of them late
    for (var other : all) {
      if (other.jobs.equals(jobs)) {
        sets++;
        most = Math.max(most, other.available);
      }
    }
    return own + Math.ceilDiv(most, Math.max(1, sets));
  }
}
