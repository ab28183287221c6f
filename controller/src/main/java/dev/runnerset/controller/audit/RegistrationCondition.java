package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.audit.SeenRunners.Missing;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runners whose container runs and that do not come online (RN7). They are reported after 20 s, and
 * ended after {@code deadlines.registration}, but never more of them than the service counts
 * registrations without a runner, and only by counts that are fresh: wrong counts blame nobody.
 */
@Pure
public final class RegistrationCondition {
  /** A refusal is a useless request, and two of them at most may come in 30 s. */
  private static final int MOST_AT_ONCE = 2;

  private RegistrationCondition() {}

  /** The runners to tell of, longest missing first. */
  public static List<Missing> missing(
      SeenRunners seen, @Nullable ServiceCounts counts, Instant now) {
    return counts == null || !now.isBefore(counts.observedAt().plus(AuditTimes.FRESH))
        ? List.of()
        : seen.missingSince(
            counts.observedAt().minus(AuditTimes.UNREGISTERED_AFTER), counts.offline());
  }

  /** The condition; empty if there is nothing to tell. */
  public static Optional<Verdict> of(List<Missing> missing, Duration deadline) {
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Verdict.yes(EphemeralRunnerSetReason.REGISTRATION_OVERDUE, message(missing, deadline))
                .limiting(LimitedBy.NOT_STARTING));
  }

  private static String message(List<Missing> missing, Duration deadline) {
    var first = missing.getFirst();
    return "the container runs and the runner does not connect to the service: %d %s, as %s since"
            .formatted(
                missing.size(), missing.size() == 1 ? "runner" : "runners", first.runner().name())
        + " %s; look in the pod's log for network, DNS, proxy, certificate and clock; %s is"
            .formatted(Times.seconds(first.since()), first.runner().name())
        + " replaced at %s (spec.deadlines.registration)"
            .formatted(Times.seconds(first.since().plus(deadline)));
  }

  /** Those whose deadline is over: as many as may be asked for at once (I3). */
  public static Stream<RunnerView> overdue(List<Missing> missing, Duration deadline, Instant now) {
    return missing.stream()
        .filter(one -> !now.isBefore(one.since().plus(deadline)))
        .limit(MOST_AT_ONCE)
        .map(Missing::runner);
  }

  /** Has it noted when the next runner is reported, or its deadline is over. */
  public static void noteChanges(SeenRunners seen, Duration deadline, Now now) {
    seen.noteNext(AuditTimes.UNREGISTERED_AFTER, now);
    seen.noteNext(deadline, now);
  }
}
