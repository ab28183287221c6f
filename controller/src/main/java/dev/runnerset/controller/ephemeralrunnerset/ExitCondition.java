package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The condition that tells of runners whose job is over and whose container still runs ({@link
 * OverdueExit}); the set mirrors it. It is present only while it is True, and its message has times
 * instead of ages, so that a pass without a change costs no write.
 */
@Pure
final class ExitCondition {
  private static final int MOST_NAMES = 3;

  private ExitCondition() {}

  static Optional<Verdict> of(SetMoment moment) {
    var overdue =
        moment.runners().stream()
            .filter(r -> OverdueExit.removedAt(r, moment) != null)
            .filter(r -> !moment.now().isBefore(seenAt(r).plus(OverdueExit.REPORTED_AFTER)))
            .sorted(Comparator.comparing(ExitCondition::seenAt).thenComparing(RunnerView::name))
            .toList();
    return overdue.isEmpty()
        ? Optional.empty()
        : Optional.of(Verdict.yes(EphemeralRunnerSetReason.EXIT_OVERDUE, message(overdue, moment)));
  }

  private static String message(List<RunnerView> overdue, SetMoment moment) {
    var names =
        overdue.stream()
            .limit(MOST_NAMES)
            .map(r -> r.name() + " since " + seconds(seenAt(r)))
            .collect(Collectors.joining(", "));
    int more = overdue.size() - MOST_NAMES;
    return "the job is over and the container still runs of %d %s: %s%s; %s; look in the log for what"
            .formatted(
                overdue.size(),
                overdue.size() == 1 ? "runner" : "runners",
                names,
                more > 0 ? " and " + more + " more" : "",
                next(overdue.getFirst(), moment))
        + " does not end";
  }

  private static String next(RunnerView first, SetMoment moment) {
    var at = seconds(Objects.requireNonNull(OverdueExit.removedAt(first, moment)));
    return first.isBusySuspect(moment.now())
        ? "the service says that %s has a job: it is asked again at %s".formatted(first.name(), at)
        : "%s is removed at %s".formatted(first.name(), at);
  }

  private static Instant seenAt(RunnerView runner) {
    return Objects.requireNonNull(runner.completionSeenAt());
  }

  private static String seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
