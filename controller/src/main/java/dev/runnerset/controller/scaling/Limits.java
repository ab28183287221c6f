package dev.runnerset.controller.scaling;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import java.util.Objects;

/**
 * The limits of a set that hold at an instant.
 *
 * @param requeueAt the earliest instant at which they may be others without an event
 */
public record Limits(Limit minRunners, Limit maxRunners, RequeueTime requeueAt) {
  /**
   * One limit.
   *
   * @param field where it stands in the spec, for messages
   */
  public record Limit(int value, String field) {}

  /** The limits of a spec that names none. */
  public static final Limits DEFAULT =
      new Limits(
          new Limit(0, "spec.minRunners"), new Limit(10, "spec.maxRunners"), RequeueTime.NEVER);

  /** Those that the spec names for all times. */
  public static Limits usual(AutoScalingRunnerSetSpec spec) {
    return new Limits(
        new Limit(
            Objects.requireNonNullElse(spec.minRunners(), DEFAULT.minRunners.value),
            DEFAULT.minRunners.field),
        new Limit(
            Objects.requireNonNullElse(spec.maxRunners(), DEFAULT.maxRunners.value),
            DEFAULT.maxRunners.field),
        RequeueTime.NEVER);
  }
}
