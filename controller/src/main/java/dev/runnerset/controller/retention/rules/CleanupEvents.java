package dev.runnerset.controller.retention.rules;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Retention;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Which events can make the two cleanup controllers delete something (RT7, RT8). */
public final class CleanupEvents {
  private CleanupEvents() {}

  /** Whether a runner that appears has a time that runs; after a start all of them appear. */
  public static boolean ttlOnAdd(EphemeralRunner runner) {
    return ttl(runner).isPresent();
  }

  /** Whether a time began to run, or became shorter, by this change of a runner. */
  public static boolean ttlOnUpdate(EphemeralRunner now, EphemeralRunner before) {
    var ttl = ttl(now);
    if (ttl.isEmpty()) {
      return false;
    }
    var earlier = ttl(before);
    // no time runs before there is an outcome, so this includes a runner that has just finished
    return earlier.isEmpty()
        || ttl.get().compareTo(earlier.get()) < 0
        || isNoLongerRetained(now, before);
  }

  /** Whether this change of a set introduced or lowered a limit. */
  public static boolean limitOnUpdate(AutoScalingRunnerSet now, AutoScalingRunnerSet before) {
    return Arrays.stream(RunnerOutcome.values())
        .anyMatch(o -> isTighter(limit(now, o), limit(before, o)));
  }

  /** Whether this change of a runner can bring its set above a limit. */
  public static boolean runnerOnUpdate(EphemeralRunner now, EphemeralRunner before) {
    var labels = now.getMetadata().getLabels();
    return labels != null
        && labels.containsKey(Labels.SET)
        && (isFinishing(now, before) || isNoLongerRetained(now, before));
  }

  /** Whether there was no outcome before, and there is one now. */
  private static boolean isFinishing(EphemeralRunner now, EphemeralRunner before) {
    return RunnerOutcome.of(now).isPresent() && RunnerOutcome.of(before).isEmpty();
  }

  private static boolean isNoLongerRetained(EphemeralRunner now, EphemeralRunner before) {
    return RunnerOutcome.of(now).isPresent()
        && RetentionRules.isRetained(before)
        && !RetentionRules.isRetained(now);
  }

  private static boolean isTighter(OptionalInt now, OptionalInt before) {
    return now.isPresent() && (before.isEmpty() || now.getAsInt() < before.getAsInt());
  }

  /** The time that runs for a finished runner. */
  private static Optional<Duration> ttl(EphemeralRunner runner) {
    return RunnerOutcome.of(runner)
        .flatMap(o -> RetentionRules.ttl(runner.getSpec().retention(), o));
  }

  private static OptionalInt limit(AutoScalingRunnerSet set, RunnerOutcome outcome) {
    @Nullable Retention block = set.getSpec() == null ? null : set.getSpec().retention();
    return RetentionRules.limit(block, outcome);
  }
}
