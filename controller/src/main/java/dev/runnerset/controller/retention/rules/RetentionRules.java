package dev.runnerset.controller.retention.rules;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerRetention;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Which rules apply to a finished runner: its own times, copied from the set when it was made
 * (RT2), and the present limits of its set (RT3). An invalid value is no rule.
 */
@Pure
public final class RetentionRules {
  /** The largest limit (RT3). */
  public static final int LARGEST_LIMIT = 100;

  /** How many failed runners a set keeps that states no rule (RT13). */
  public static final int FAILED_BY_DEFAULT = 3;

  private RetentionRules() {}

  /**
   * Whether a finished runner stays until a cleanup controller deletes it. Without a rule its set
   * deletes it at once. A runner without a set is only ever deleted by its own times.
   *
   * @param live the set's present retention block; null for none
   */
  public static boolean keeps(EphemeralRunner runner, Outcome outcome, @Nullable Retention live) {
    return isStandalone(runner)
        || isRetained(runner)
        || ttl(runner.getSpec().retention(), outcome).isPresent()
        || limit(live, outcome).isPresent();
  }

  /** Whether the runner belongs to no set: a user made it, and only its own times delete it. */
  public static boolean isStandalone(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    return labels == null || !labels.containsKey(Labels.SET) || runner.getSpec().template() != null;
  }

  /** Whether somebody annotated the runner to be kept (RT10). */
  public static boolean isRetained(EphemeralRunner runner) {
    var annotations = runner.getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(Labels.RETAIN));
  }

  /** How long a runner of that outcome is kept; the time of the other outcome is ignored (RT6). */
  public static Optional<Duration> ttl(@Nullable RunnerRetention own, Outcome outcome) {
    return own == null
        ? Optional.empty()
        : GoDuration.parse(
            switch (outcome) {
              case SUCCEEDED -> own.ttlAfterSucceeded();
              case FAILED -> own.ttlAfterFailed();
            });
  }

  /**
   * How many runners of that outcome a set keeps. A set that states no rule keeps the last failed
   * ones: a crash must leave something to look at (RT13).
   */
  public static OptionalInt limit(@Nullable Retention live, Outcome outcome) {
    if (live == null || hasNoRule(live)) {
      return outcome == Outcome.FAILED ? OptionalInt.of(FAILED_BY_DEFAULT) : OptionalInt.empty();
    }
    var limit =
        switch (outcome) {
          case SUCCEEDED -> live.succeededLimit();
          case FAILED -> live.failedLimit();
        };
    return isLimit(limit) && limit != null ? OptionalInt.of(limit) : OptionalInt.empty();
  }

  /** Whether none of its fields says how long, or how many, finished runners are kept. */
  public static boolean hasNoRule(Retention live) {
    return live.ttlAfterFailed() == null
        && live.ttlAfterSucceeded() == null
        && live.failedLimit() == null
        && live.succeededLimit() == null;
  }

  public static boolean isLimit(@Nullable Integer limit) {
    return limit != null && limit >= 1 && limit <= LARGEST_LIMIT;
  }
}
