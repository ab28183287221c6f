package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.StartFailures;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The condition that reports runners that end before they get a job (WR3). It is present only while
 * it is True: until a job comes, until all wanted runners have stood for a while, or until the
 * failures are old.
 */
@Pure
final class FailingCondition {
  private FailingCondition() {}

  /** The verdict on a set whose runners are of a version that the service refuses. */
  static Verdict rejected() {
    return Verdict.yes(
            EphemeralRunnerSetReason.RUNNER_VERSION_REJECTED,
            "the service refuses this runner version: use a newer image in spec.template; the set"
                + " creates no runner until then")
        .limiting(LimitedBy.FAILING);
  }

  /**
   * The verdict on failures.
   *
   * @param failures what is known of failures in a row; null for none, and for those that are no
   *     longer reported
   */
  static Optional<Verdict> of(@Nullable StartFailures failures, RunnerCounts counts, Instant now) {
    if (failures == null || !now.isBefore(until(failures, counts))) {
      return Optional.empty();
    }
    var message = message(failures, now);
    return Optional.of(
        failures.refusedByQuota() // of objects, so that no runner is made
            ? Verdict.yes(RunnerSetReason.QUOTA, message).limiting(LimitedBy.QUOTA)
            : Verdict.yes(EphemeralRunnerSetReason.BACK_OFF, message).limiting(LimitedBy.FAILING));
  }

  /** When it is over if nothing else happens: no event tells. */
  static Instant until(StartFailures failures, RunnerCounts counts) {
    return allStand(counts)
        ? failures.lastAt().plus(EphemeralRunnerSetTimes.HEALED_AFTER)
        : failures.notBefore().plus(EphemeralRunnerSetTimes.FAILURE_COUNTS);
  }

  /**
   * Whether all wanted runners have stood for a while: then these failures are no longer reported.
   */
  static boolean isHealed(StartFailures failures, RunnerCounts counts, Instant now) {
    return allStand(counts)
        && !now.isBefore(failures.lastAt().plus(EphemeralRunnerSetTimes.HEALED_AFTER));
  }

  private static boolean allStand(RunnerCounts counts) {
    return counts.desired() > 0 && counts.idle() + counts.busy() >= counts.desired();
  }

  private static String message(StartFailures failures, Instant now) {
    var notBefore = failures.notBefore();
    var who =
        switch (failures.runners()) {
          case 0 -> "no runner can be made";
          case 1 -> "1 runner failed before it got a job";
          default -> failures.runners() + " runners failed before they got a job";
        };
    return "%s, since %s; %s; last: %s"
        .formatted(
            who,
            Times.seconds(failures.since()),
            now.isBefore(notBefore)
                ? "the next one is made at " + Times.seconds(notBefore)
                : "the next one is made as soon as it is wanted",
            failures.last());
  }
}
