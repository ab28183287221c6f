package dev.runnerset.controller.retention;

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
 * Which rule holds for a finished runner: its own times as they were when it was made (RT2), its
 * set's limits as they are now (RT3). A value that makes no sense is no rule. Pure.
 */
public final class RetentionRules {
  /** The largest limit (RT3). */
  public static final int LARGEST_LIMIT = 100;

  private RetentionRules() {}

  /**
   * Whether a finished runner stays until the cleanup takes it. What no rule holds for is deleted
   * promptly by its set; a runner without a set is never deleted but by its own times.
   *
   * @param live the set's block as it is now, null where there is none
   */
  public static boolean keeps(EphemeralRunner runner, Outcome outcome, @Nullable Retention live) {
    return isStandalone(runner)
        || isRetained(runner)
        || ttl(runner.getSpec().retention(), outcome).isPresent()
        || limit(live, outcome).isPresent();
  }

  /** Whether it belongs to no set: only a user made it, and only its own times delete it. */
  public static boolean isStandalone(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    return labels == null || !labels.containsKey(Labels.SET) || runner.getSpec().template() != null;
  }

  /** Whether somebody asked to keep this one (RT10). */
  public static boolean isRetained(EphemeralRunner runner) {
    var annotations = runner.getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(Labels.RETAIN));
  }

  /** How long a runner of that outcome is kept; the other outcome's time never counts (RT6). */
  static Optional<Duration> ttl(@Nullable RunnerRetention own, Outcome outcome) {
    return own == null
        ? Optional.empty()
        : GoDuration.parse(
            switch (outcome) {
              case SUCCEEDED -> own.ttlAfterSucceeded();
              case FAILED -> own.ttlAfterFailed();
            });
  }

  /** How many runners of that outcome a set keeps. */
  static OptionalInt limit(@Nullable Retention live, Outcome outcome) {
    if (live == null) {
      return OptionalInt.empty();
    }
    var limit =
        switch (outcome) {
          case SUCCEEDED -> live.succeededLimit();
          case FAILED -> live.failedLimit();
        };
    return isLimit(limit) && limit != null ? OptionalInt.of(limit) : OptionalInt.empty();
  }

  static boolean isLimit(@Nullable Integer limit) {
    return limit != null && limit >= 1 && limit <= LARGEST_LIMIT;
  }
}
