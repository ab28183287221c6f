package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The condition that reports runners with a finished job and a container that still runs ({@link
 * OverdueExit}). It is present only while it is True, and its message has times instead of ages, so
 * that a pass without a change costs no write.
 */
@Pure
final class ExitCondition {
  private static final int MOST_NAMES = 3;

  private ExitCondition() {}

  static Optional<Verdict> of(SetMoment moment) {
    int overdue = moment.count(OverdueExit.REPORTED);
    return overdue == 0
        ? Optional.empty()
        : Optional.of(Verdict.yes(EphemeralRunnerSetReason.EXIT_OVERDUE, message(overdue, moment)));
  }

  private static String message(int overdue, SetMoment moment) {
    var named = moment.in(OverdueExit.REPORTED).limit(MOST_NAMES).toList();
    var names =
        named.stream()
            .map(r -> r.name() + " since " + Times.seconds(seenAt(r)))
            .collect(Collectors.joining(", "));
    int more = overdue - named.size();
    return "the job is over and the container still runs of %d %s: %s%s; %s; look in the log for what"
            .formatted(
                overdue,
                overdue == 1 ? "runner" : "runners",
                names,
                more > 0 ? " and " + more + " more" : "",
                next(named.getFirst(), moment.now()))
        + " does not end";
  }

  private static String next(RunnerView first, Now now) {
    var at = Times.seconds(Objects.requireNonNull(OverdueExit.removedAt(first)));
    return first.isBusySuspect(now)
        ? "the service says that %s has a job: it is asked again at %s".formatted(first.name(), at)
        : "%s is removed at %s".formatted(first.name(), at);
  }

  private static Instant seenAt(RunnerView runner) {
    return Objects.requireNonNull(runner.completionSeenAt());
  }
}
