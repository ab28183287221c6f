package dev.runnerset.simulator.service;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Jobs to submit.
 *
 * @param labels what {@code runs-on} asks for; a scale set takes the job if it has all of them
 * @param duration how long the simulated runner works on each
 * @param repository {@code owner/name}; only sets that cover it get the job. Empty: any set does
 * @param result the conclusion the runner reports ({@code succeeded}, {@code failed}, ...)
 * @param delay before the first is queued
 * @param spread time over which the submissions are evenly spread
 */
@WithWithers
public record JobRequest(
    int count,
    List<String> labels,
    Duration duration,
    Optional<String> repository,
    String displayName,
    String result,
    Duration delay,
    Duration spread)
    implements JobRequestBuilder.With {

  public static final int MAX_COUNT = 100_000;

  public JobRequest {
    labels = List.copyOf(labels);
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException("count " + count + " is not in 1.." + MAX_COUNT);
    }
    if (duration.isNegative() || delay.isNegative() || spread.isNegative()) {
      throw new IllegalArgumentException("duration, delay and spread must not be negative");
    }
    if (labels.isEmpty()) {
      throw new IllegalArgumentException("a job needs at least one label");
    }
  }

  /** {@code count} jobs at once that succeed after {@code duration}. */
  public static JobRequest of(int count, String label, Duration duration) {
    return new JobRequest(
        count,
        List.of(label),
        duration,
        Optional.empty(),
        "build",
        "succeeded",
        Duration.ZERO,
        Duration.ZERO);
  }
}
