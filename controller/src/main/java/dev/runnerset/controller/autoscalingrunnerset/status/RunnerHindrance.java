package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerReason;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What keeps runners from coming to wait for a job. A start that is merely slow does not. */
public record RunnerHindrance(ConditionType type, Verdict verdict) {
  /** The verdicts that report such runners. The first that is present counts. */
  private static final List<ConditionType> TYPES =
      List.of(
          ConditionType.PASSES_FAILING,
          ConditionType.RUNNERS_FAILING,
          ConditionType.RUNNERS_PENDING,
          ConditionType.RUNNERS_NOT_REGISTERING);

  private static final Set<String> REFUSALS_OF_PODS =
      Stream.of(
              RunnerReason.POD_FORBIDDEN,
              RunnerReason.POD_FORBIDDEN_BY_OTHER_INSTALLATION,
              RunnerReason.SERVICE_ACCOUNT_MISSING,
              RunnerReason.PRIORITY_CLASS_MISSING,
              RunnerReason.PERMISSION_MISSING,
              RunnerReason.POD_WEBHOOK_FAILED)
          .map(RunnerReason::word)
          .collect(Collectors.toUnmodifiableSet());

  /** The hindrance in a report; empty if runners come to wait for jobs. */
  public static Optional<RunnerHindrance> of(RunnersReport report) {
    return all(report).findFirst();
  }

  /** The hindrance in a report but for a quota, which somebody set for the namespace. */
  static Optional<RunnerHindrance> otherThanQuota(RunnersReport report) {
    return all(report).filter(found -> found.limit() != LimitedBy.QUOTA).findFirst();
  }

  private static Stream<RunnerHindrance> all(RunnersReport report) {
    return TYPES.stream()
        .flatMap(type ->
            report.of(type).stream()
                .filter(verdict -> verdict.limits() != null)
                .map(verdict -> new RunnerHindrance(type, verdict)));
  }

  /** The word for it in the status. */
  public LimitedBy limit() {
    return Objects.requireNonNull(verdict.limits());
  }

  /** Whether the API server does not take pods, for a policy, a webhook or their template. */
  public boolean isRefusalOfPods() {
    return REFUSALS_OF_PODS.contains(verdict.reason().word());
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
    return starting > 0 && type == ConditionType.RUNNERS_PENDING
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
}
