package dev.runnerset.controller.connection;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.Pure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often in a row the service refused to register or to remove a runner with some credentials.
 * One refusal may be a slip. From the second one on the refusal stands, until the service lets a
 * runner through, or nobody has asked for a while.
 *
 * @param first the first of the row, so that a condition shows the same text while it stands
 */
@Pure
record RunnerRefusals(int count, @Nullable ServiceError first, Instant last) {
  static final RunnerRefusals NONE = new RunnerRefusals(0, null, Instant.EPOCH);

  /** Longer than any backoff of a runner, so that a set that needs runners has asked again. */
  static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

  private static final int LASTING = 2;

  RunnerRefusals refused(ServiceError error, Instant now) {
    boolean anew = standing(now) == null && count >= LASTING;
    return anew || first == null
        ? new RunnerRefusals(1, error, now)
        : new RunnerRefusals(count + 1, first, now);
  }

  /** The refusal that stands, or null. */
  @Nullable ServiceError standing(Instant now) {
    return count >= LASTING && now.isBefore(last.plus(FORGOTTEN_AFTER)) ? first : null;
  }
}
