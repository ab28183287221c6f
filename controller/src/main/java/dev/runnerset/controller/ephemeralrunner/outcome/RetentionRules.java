package dev.runnerset.controller.ephemeralrunner.outcome;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.KeptBy;
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

  /** How many failed runners a set keeps that states no rule for them (RT13). */
  public static final int FAILED_BY_DEFAULT = 3;

  private RetentionRules() {}

  /**
   * Whether a finished runner stays until a cleanup controller deletes it, or its set goes. Its set
   * deletes any other at once. A runner that a rule kept when it ended stays without that rule, too
   * (RT5). A runner without a set is only ever deleted by its own times.
   *
   * @param live the set's present retention block; null for none
   */
  public static boolean keeps(
      EphemeralRunner runner, RunnerOutcome outcome, @Nullable Retention live) {
    return isStandalone(runner)
        || keptBy(runner, outcome, live).isPresent()
        || runner.statusOrNone().keptBy() == KeptBy.RULE;
  }

  /**
   * What keeps a runner of a set that ends now; empty if nothing does. A time or a limit comes
   * before the default of failed runners (RT13), and that before the annotation.
   *
   * @param live the set's present retention block; null for none
   */
  public static Optional<KeptBy> keptBy(
      EphemeralRunner runner, RunnerOutcome outcome, @Nullable Retention live) {
    if (ttl(runner.getSpec().retention(), outcome).isPresent()
        || limit(live, outcome).isPresent()) {
      return Optional.of(KeptBy.RULE);
    }
    if (outcome == RunnerOutcome.FAILED) {
      return Optional.of(KeptBy.DEFAULT);
    }
    return isRetained(runner) ? Optional.of(KeptBy.ANNOTATION) : Optional.empty();
  }

  /** Whether the runner belongs to no set: a user made it, and only its own times delete it. */
  public static boolean isStandalone(EphemeralRunner runner) {
    return !Meta.labels(runner).containsKey(Labels.SET) || runner.getSpec().template() != null;
  }

  /** Whether somebody annotated the runner to be kept (RT10). */
  public static boolean isRetained(EphemeralRunner runner) {
    return Meta.isMarked(runner, Labels.RETAIN);
  }

  /** How long a runner of that outcome is kept; the time of the other outcome is ignored (RT6). */
  public static Optional<Duration> ttl(@Nullable RunnerRetention own, RunnerOutcome outcome) {
    return own == null
        ? Optional.empty()
        : GoDuration.parse(
            switch (outcome) {
              case SUCCEEDED -> own.ttlAfterSucceeded();
              case FAILED -> own.ttlAfterFailed();
            });
  }

  /** How many runners of that outcome the set's block keeps; empty if it does not say. */
  public static OptionalInt limit(@Nullable Retention live, RunnerOutcome outcome) {
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

  /**
   * Whether the default of failed runners counts this one where no limit does: one that has no time
   * of its own, and that no rule kept when it ended (RT13). A crash must leave something to read.
   */
  public static boolean isKeptByDefault(EphemeralRunner runner, RunnerOutcome outcome) {
    return outcome == RunnerOutcome.FAILED
        && ttl(runner.getSpec().retention(), outcome).isEmpty()
        && runner.statusOrNone().keptBy() != KeptBy.RULE;
  }

  public static boolean isLimit(@Nullable Integer limit) {
    return limit != null && limit >= 1 && limit <= LARGEST_LIMIT;
  }
}
