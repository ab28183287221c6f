package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The condition that tells of runners that neither start nor fail, as with an image that cannot be
 * pulled; the condition {@code RolloutStalled} of the set follows from it. It is judged by the age
 * of the runners, so that a restart costs no write. It is present only while it is True, since each
 * write of the status sends all conditions (docs/adr/0011).
 */
@Pure
final class PendingCondition {
  /** The default of progressDeadlineSeconds of a Deployment. */
  static final Duration DEADLINE = Duration.ofMinutes(10);

  private static final Comparator<RunnerView> LONGEST_FIRST =
      Comparator.comparing(RunnerView::created).thenComparing(RunnerView::name);

  private PendingCondition() {}

  static Optional<Condition> of(
      List<Condition> before, RunnerGathering.Observed observed, long generation, Instant now) {
    return observed.views().stream()
        .filter(runner -> isOverdue(runner, now))
        .min(LONGEST_FIRST)
        .map(runner ->
            StatusConditions.build(
                before,
                ConditionType.RUNNERS_PENDING,
                Value.TRUE,
                EphemeralRunnerSetReason.START_OVERDUE,
                message(runner.name(), observed.byUid().get(runner.uid())),
                generation,
                now));
  }

  /** Only runners of the present revision; the age counts from the creation. */
  private static boolean isOverdue(RunnerView runner, Instant now) {
    return !runner.older()
        && runner.phase() == RunnerPhase.PENDING
        && runner.isRemovable(now)
        && !now.isBefore(runner.created().plus(DEADLINE));
  }

  private static String message(String name, @Nullable EphemeralRunner runner) {
    var why = runner == null ? Optional.<Condition>empty() : trouble(runner);
    return "%s has not started for %d minutes%s"
        .formatted(name, DEADLINE.toMinutes(), why.map(PendingCondition::told).orElse(""));
  }

  /** The first condition that is False: each condition of a runner is True when all is well. */
  private static Optional<Condition> trouble(EphemeralRunner runner) {
    return runner.statusOrNone().conditions().stream()
        .filter(c -> StatusConditions.has(c, Value.FALSE))
        .findFirst();
  }

  private static String told(Condition trouble) {
    return " (%s: %s); %s"
        .formatted(trouble.getReason(), trouble.getMessage(), advice(trouble.getType()));
  }

  private static String advice(String type) {
    if (type.equals(ConditionType.SCHEDULED.word())) {
      return "make room for its pod: nodes, quotas, or smaller requests in spec.template";
    }
    return type.equals(ConditionType.STARTED.word())
        ? "correct the image or what else its pod waits for in spec.template"
        : "look at it with kubectl describe er";
  }
}
