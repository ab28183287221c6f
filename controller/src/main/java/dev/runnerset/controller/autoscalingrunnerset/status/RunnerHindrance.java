package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.scaling.CapacityPlan.LimitedBy;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What keeps runners from coming to wait for a job, as a mirrored condition tells it. A start that
 * is merely slow is no hindrance.
 */
public record RunnerHindrance(Condition condition) {
  /** The mirrored conditions that report such runners; the first one that stands counts. */
  private static final List<ConditionType> TYPES =
      List.of(
          ConditionType.PASSES_FAILING,
          ConditionType.RUNNERS_FAILING,
          ConditionType.RUNNERS_PENDING,
          ConditionType.RUNNERS_NOT_REGISTERING);

  /** The hindrance that the mirrored conditions tell of. */
  public static Optional<RunnerHindrance> of(List<Condition> mirrored) {
    return TYPES.stream()
        .flatMap(type -> StatusConditions.find(mirrored, type).stream())
        .filter(c -> !StatusConditions.has(c, EphemeralRunnerSetReason.START_SLOW))
        .map(RunnerHindrance::new)
        .findFirst();
  }

  /** The reason and the message of the condition. */
  Finding finding() {
    return new Finding(
        StatusConditions.reason(condition, RunnerSetReason.RUNNERS_FAILING),
        StatusConditions.message(condition));
  }

  /** The word for it in the status. */
  public LimitedBy limit() {
    if (StatusConditions.has(condition, RunnerSetReason.QUOTA)) {
      return LimitedBy.QUOTA;
    }
    if (isOf(ConditionType.RUNNERS_FAILING)) {
      return LimitedBy.FAILING;
    }
    return StatusConditions.has(condition, RunnerSetReason.UNSCHEDULABLE)
            || StatusConditions.has(condition, RunnerReason.UNSCHEDULED)
        ? LimitedBy.UNSCHEDULABLE
        : LimitedBy.NOT_STARTING;
  }

  /** Whether the API server does not take pods, for a policy or a webhook. */
  public boolean isRefusalOfPods() {
    return StatusConditions.has(condition, RunnerReason.POD_FORBIDDEN)
        || StatusConditions.has(condition, RunnerReason.POD_WEBHOOK_FAILED);
  }

  /**
   * The runners that can take a job that comes now all the same; empty if there are none. Runners
   * that are started as probes while runners fail do not count.
   */
  Optional<String> others(@Nullable RunnerCounts counts) {
    var idle = idle(counts);
    if (idle.isPresent()) {
      return idle;
    }
    int starting = counts == null ? 0 : counts.pending() - counts.stuck();
    return starting > 0 && isOf(ConditionType.RUNNERS_PENDING)
        ? Optional.of(counted(starting, "starts", "start"))
        : Optional.empty();
  }

  /** How many runners wait for a job; empty if none does. */
  static Optional<String> idle(@Nullable RunnerCounts counts) {
    return counts == null || counts.idle() == 0
        ? Optional.empty()
        : Optional.of(counted(counts.idle(), "waits for a job", "wait for jobs"));
  }

  private static String counted(int runners, String one, String many) {
    return runners == 1 ? "1 runner " + one : runners + " runners " + many;
  }

  private boolean isOf(ConditionType type) {
    return type.word().equals(condition.getType());
  }
}
