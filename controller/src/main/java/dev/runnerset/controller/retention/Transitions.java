package dev.runnerset.controller.retention;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Retention;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Which events the two cleanup controllers listen to (RT7, RT8). Pure. */
final class Transitions {
  private Transitions() {}

  /** A runner that is seen first, at a start or by a new leader. */
  static boolean ttlOnAdd(EphemeralRunner runner) {
    return ttl(runner).isPresent();
  }

  /** It has finished, or its own time was introduced or lowered; and such a time applies. */
  static boolean ttlOnUpdate(EphemeralRunner now, EphemeralRunner before) {
    var ttl = ttl(now);
    if (ttl.isEmpty()) {
      return false;
    }
    var earlier = ttl(before);
    // without an outcome it had none: a runner that finishes is in this, too
    return earlier.isEmpty() || ttl.get().compareTo(earlier.get()) < 0 || isLetGo(now, before);
  }

  /** A set that is seen first. */
  static boolean limitOnAdd(AutoScalingRunnerSet set) {
    return Arrays.stream(Outcome.values()).anyMatch(o -> limit(set, o).isPresent());
  }

  /** A limit was introduced or lowered. */
  static boolean limitOnUpdate(AutoScalingRunnerSet now, AutoScalingRunnerSet before) {
    return Arrays.stream(Outcome.values())
        .anyMatch(o -> isTighter(limit(now, o), limit(before, o)));
  }

  /** A runner of a set has finished. */
  static boolean runnerOnUpdate(EphemeralRunner now, EphemeralRunner before) {
    var labels = now.getMetadata().getLabels();
    return labels != null
        && labels.containsKey(Labels.SET)
        && (isFinishing(now, before) || isLetGo(now, before));
  }

  /** From no outcome, which is Unknown or no condition at all, to one. */
  private static boolean isFinishing(EphemeralRunner now, EphemeralRunner before) {
    return Outcome.of(now).isPresent() && Outcome.of(before).isEmpty();
  }

  private static boolean isLetGo(EphemeralRunner now, EphemeralRunner before) {
    return Outcome.of(now).isPresent()
        && RetentionRules.isRetained(before)
        && !RetentionRules.isRetained(now);
  }

  private static boolean isTighter(OptionalInt now, OptionalInt before) {
    return now.isPresent() && (before.isEmpty() || now.getAsInt() < before.getAsInt());
  }

  /** The time that applies to a finished runner. */
  private static Optional<Duration> ttl(EphemeralRunner runner) {
    return Outcome.of(runner).flatMap(o -> RetentionRules.ttl(runner.getSpec().retention(), o));
  }

  private static OptionalInt limit(AutoScalingRunnerSet set, Outcome outcome) {
    @Nullable Retention block = set.getSpec() == null ? null : set.getSpec().retention();
    return RetentionRules.limit(block, outcome);
  }
}
