package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of a set as the Actions service counts them; the running ones are assigned ones too. {@code
 * waiting} are those that do not run yet, assigned or not.
 */
@NullIsAbsent
public record JobCounts(
    @JsonPropertyDescription("jobs that the service gave to this set, the running ones included")
        int assigned,
    @JsonPropertyDescription("jobs that run") int running,
    @JsonPropertyDescription("jobs that do not run yet, given to this set or not") int waiting,
    @JsonPropertyDescription(
            "since when at least one job has waited without a break; absent while none waits")
        @SchemaFrom(type = String.class)
        @Nullable Instant waitingSince) {
  /** No jobs. */
  public static final JobCounts NONE = new JobCounts(0, 0, 0, null);

  /**
   * The counts that follow from the statistics of the service.
   *
   * @param running null counts as none
   * @param available jobs that wait for an assignment; null counts as none
   */
  public static JobCounts of(int assigned, @Nullable Integer running, @Nullable Integer available) {
    int started = running == null ? 0 : running;
    int unassigned = available == null ? 0 : available;
    return new JobCounts(assigned, started, Math.max(0, assigned - started) + unassigned, null);
  }

  /**
   * These counts, with the time since when jobs wait.
   *
   * @param before the counts that were known last; null for none
   * @param observedAt when these counts were received; null if nobody knows
   */
  public JobCounts after(@Nullable JobCounts before, @Nullable Instant observedAt) {
    var known = before == null || before.waiting == 0 ? null : before.waitingSince;
    var since = known == null ? observedAt : known;
    return new JobCounts(assigned, running, waiting, waiting > 0 ? since : null);
  }
}
