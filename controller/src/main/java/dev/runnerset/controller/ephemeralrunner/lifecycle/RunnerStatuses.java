package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.crds.condition.ConditionType.REGISTRATION_MADE;
import static dev.runnerset.crds.condition.ConditionType.REMOVABLE;
import static dev.runnerset.crds.condition.ConditionType.RETENTION_ACCEPTED;
import static dev.runnerset.crds.condition.ConditionType.SCHEDULED;
import static dev.runnerset.crds.condition.ConditionType.STARTED;
import static dev.runnerset.crds.condition.ConditionType.SUCCEEDED;

import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.controller.ephemeralrunner.outcome.RetentionCheck;
import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerFailure;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerTimeline;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler's own part of a runner's status at each step of its life, without the fields of
 * the listener and the remover.
 */
public final class RunnerStatuses {
  private RunnerStatuses() {}

  private static EphemeralRunnerStatus with(ObservedRunner observed, List<Condition> conditions) {
    return WrittenStatus.ownPartOf(observed.ownStatus()).toBuilder().conditions(conditions).build();
  }

  /** The same status again, after somebody wiped it or corrected the retention block. */
  static EphemeralRunnerStatus rewritten(ObservedRunner observed) {
    return with(observed, withRetention(observed, observed.ownStatus().conditions()));
  }

  /** Whether the status still refuses a retention block that is valid by now. */
  static boolean isRetentionConditionOutdated(ObservedRunner observed) {
    return StatusConditions.find(observed.ownStatus().conditions(), RETENTION_ACCEPTED).isPresent()
        && RetentionCheck.problem(observed.runner().getSpec().retention()).isEmpty();
  }

  /** The container has not started; {@code problem} keeps it from that, if it is not null. */
  static EphemeralRunnerStatus pending(ObservedRunner observed, @Nullable StartProblem problem) {
    var conditions = scheduled(observed, observed.ownStatus().conditions());
    if (problem != null) {
      conditions =
          RunnerConditions.with(
              conditions,
              problem.condition(),
              Value.FALSE,
              problem.reason(),
              problem.message(),
              observed.now());
    }
    return status(observed, RunnerPhase.PENDING, conditions, timeline(observed, null, null), null);
  }

  /** The container runs. */
  static EphemeralRunnerStatus running(ObservedRunner observed, Instant startedAt) {
    return status(
        observed,
        RunnerPhase.RUNNING,
        started(observed),
        timeline(observed, startedAt, null),
        null);
  }

  /**
   * The runner ended well, and its registration went with it. The phase is that of the runner; the
   * condition Succeeded is that of its job where the set says so (RT11).
   */
  static EphemeralRunnerStatus succeeded(ObservedRunner observed, Instant finishedAt) {
    var jobResult = observed.observedStatus().jobResult();
    return RunnerOutcome.jobFailure(jobResult, observed.retention())
        .map(reason ->
            succeeded(observed, Value.FALSE, reason, "the job ended as " + jobResult, finishedAt))
        .orElseGet(() ->
            succeeded(observed, Value.TRUE, RunnerReason.ENDED, "the job is over", finishedAt));
  }

  /** The runner ended well by all signs, but no message named its job. */
  static EphemeralRunnerStatus succeededUnheard(ObservedRunner observed, Instant finishedAt) {
    var message =
        "the runner exited with 0 and its registration is gone, as after a job; the listener"
            + " received no message about a job";
    return succeeded(observed, Value.TRUE, RunnerReason.JOB_NOT_HEARD, message, finishedAt);
  }

  private static EphemeralRunnerStatus succeeded(
      ObservedRunner observed, Value value, Reason reason, String message, Instant finishedAt) {
    var ended =
        RunnerConditions.with(started(observed), SUCCEEDED, value, reason, message, finishedAt);
    var conditions = deregistered(ended, observed.now());
    return status(
        observed, RunnerPhase.SUCCEEDED, conditions, timeline(observed, null, finishedAt), null);
  }

  /** The runner failed now, and its exit code is not known. */
  public static EphemeralRunnerStatus failed(
      ObservedRunner observed, Reason reason, String message) {
    return failed(observed, RunnerPhase.FAILED, observed.now(), failure(reason, message, null));
  }

  /**
   * The runner failed.
   *
   * @param phase Failed or Outdated
   */
  static EphemeralRunnerStatus failed(
      ObservedRunner observed, RunnerPhase phase, Instant at, RunnerFailure failure) {
    var reason =
        Reason.mirrored(Objects.requireNonNullElse(failure.reason(), ""), RunnerReason.UNKNOWN);
    var message = failure.message() == null ? "" : failure.message();
    var conditions =
        RunnerConditions.with(
            scheduled(observed, observed.ownStatus().conditions()),
            SUCCEEDED,
            Value.FALSE,
            reason,
            message,
            at);
    return status(observed, phase, conditions, timeline(observed, null, at), failure);
  }

  /** The status of a failed runner with that failure, in its outcome too. */
  public static EphemeralRunnerStatus with(EphemeralRunnerStatus failed, RunnerFailure reason) {
    var message = RunnerConditions.cut(Objects.requireNonNullElse(reason.message(), ""));
    var conditions =
        failed.conditions().stream()
            .map(c ->
                SUCCEEDED.word().equals(c.getType()) && StatusConditions.has(c, Value.FALSE)
                    ? new ConditionBuilder(c).withMessage(message).build()
                    : c)
            .toList();
    return failed.toBuilder().conditions(conditions).failure(reason).build();
  }

  /** The start took too long, and the registration is removed. */
  static EphemeralRunnerStatus overdue(ObservedRunner observed, Reason reason, String message) {
    var failed = failed(observed, reason, message);
    return failed.toBuilder().conditions(deregistered(failed.conditions(), observed.now())).build();
  }

  /** A failure with a bounded message. */
  public static RunnerFailure failure(Reason reason, String message, @Nullable Integer exitCode) {
    return new RunnerFailure(
        reason.word(), RunnerConditions.cut(message), exitCode, Map.of(), null);
  }

  /**
   * The message of a failure; it begins with the job, if the runner had one that is not known to be
   * over. A completion may come later, so it says no more than that.
   */
  public static String withLostJob(ObservedRunner observed, String message) {
    return observed.mayHaveJob()
        ? "the end of its job was not known when the runner ended: " + message
        : message;
  }

  /** The job of a marked runner in words; its request id, where the service sends one (DM11). */
  public static String job(EphemeralRunnerStatus status) {
    var job = status.job();
    var request = status.requestId();
    var where = new ArrayList<String>();
    if (request != null && request > 0) {
      where.add("request " + request);
    }
    if (job != null && job.workflowRunId() != null) {
      where.add("run " + job.workflowRunId());
    }
    if (job != null && job.repository() != null) {
      where.add("in " + job.repository());
    }
    return (job == null || job.displayName() == null
            ? "a job"
            : "the job '" + job.displayName() + "'")
        + (where.isEmpty() ? "" : " (" + String.join(" ", where) + ")");
  }

  /**
   * The status with the mark that the registration and the secret of an ended runner are gone, so
   * that nobody asks for them again, not even after a restart.
   */
  static EphemeralRunnerStatus deregistered(ObservedRunner observed) {
    return with(observed, deregistered(observed.ownStatus().conditions(), observed.now()));
  }

  /** Whether the status names the runner's registration or pod, or its end. */
  public static boolean tellsOfItsStart(EphemeralRunnerStatus status) {
    return status.runnerId() != null || status.podName() != null || status.isTerminal();
  }

  /** Whether the status has the mark of {@link #deregistered(ObservedRunner)}. */
  public static boolean isDeregistered(EphemeralRunnerStatus status) {
    return RunnerConditions.isFalse(
        status.conditions(), REGISTRATION_MADE, RunnerReason.DEREGISTERED);
  }

  private static List<Condition> deregistered(List<Condition> conditions, Instant now) {
    return RunnerConditions.with(
        conditions,
        REGISTRATION_MADE,
        Value.FALSE,
        RunnerReason.DEREGISTERED,
        "the runner has ended",
        now);
  }

  /**
   * The status that says why the deletion of the runner waits.
   *
   * @return null if the status says it already
   */
  public static @Nullable EphemeralRunnerStatus removalBlocked(
      ObservedRunner observed, Reason reason, String message) {
    var before = observed.ownStatus().conditions();
    return RunnerConditions.isFalse(before, REMOVABLE, reason)
            && (reason != RunnerReason.JOB_RUNNING || isText(before, message))
        ? null
        : with(
            observed,
            RunnerConditions.with(before, REMOVABLE, Value.FALSE, reason, message, observed.now()));
  }

  /** Texts of other reasons may differ with each failure, and would be written each time. */
  private static boolean isText(List<Condition> conditions, String message) {
    return StatusConditions.find(conditions, REMOVABLE)
        .filter(c -> RunnerConditions.cut(message).equals(StatusConditions.message(c)))
        .isPresent();
  }

  private static EphemeralRunnerStatus status(
      ObservedRunner observed,
      RunnerPhase phase,
      List<Condition> conditions,
      RunnerTimeline timeline,
      @Nullable RunnerFailure failure) {
    var own = observed.ownStatus();
    var pod = observed.pod();
    var id = observed.runnerId();
    boolean idleBegins =
        phase == RunnerPhase.RUNNING && (own.idleSince() == null || observed.isAgeUnknown());
    return EphemeralRunnerStatus.builder()
        .phase(phase)
        .conditions(withRetention(observed, conditions))
        .runnerId(id)
        .runnerName(id == null ? null : observed.runner().getMetadata().getName())
        .podName(pod != null ? pod.name() : own.podName())
        .nodeName(pod != null && pod.nodeName() != null ? pod.nodeName() : own.nodeName())
        // when this process saw it run: the clock of its node may differ
        .idleSince(idleBegins ? observed.now() : own.idleSince())
        .completionTime(phase.isTerminal() ? completion(timeline) : null)
        .timeline(timeline)
        .failure(failure)
        .build();
  }

  /** The same instant as that of the condition, which has whole seconds (RT6). */
  private static @Nullable Instant completion(RunnerTimeline timeline) {
    var finished = timeline.finished();
    return finished == null ? null : finished.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Adds a condition if the runner's own retention block is invalid, else removes it. */
  private static List<Condition> withRetention(
      ObservedRunner observed, List<Condition> conditions) {
    return RetentionCheck.problem(observed.runner().getSpec().retention())
        .map(problem ->
            RunnerConditions.with(
                conditions,
                RETENTION_ACCEPTED,
                Value.FALSE,
                RunnerReason.INVALID_RETENTION,
                problem,
                observed.now()))
        .orElseGet(() -> StatusConditions.without(conditions, RETENTION_ACCEPTED));
  }

  private static List<Condition> started(ObservedRunner observed) {
    var now = observed.now();
    var list = scheduled(observed, observed.ownStatus().conditions());
    list = RunnerConditions.with(list, SCHEDULED, Value.TRUE, RunnerReason.SCHEDULED, "", now);
    list =
        RunnerConditions.with(list, STARTED, Value.TRUE, RunnerReason.CONTAINER_STARTED, "", now);
    return RunnerConditions.with(
        list, REGISTRATION_MADE, Value.TRUE, RunnerReason.JIT_CONFIG_MADE, "", now);
  }

  private static List<Condition> scheduled(ObservedRunner observed, List<Condition> list) {
    var pod = observed.pod();
    if (pod == null || pod.placement() == null || !pod.placement().scheduled()) {
      return list;
    }
    return RunnerConditions.with(
        list, SCHEDULED, Value.TRUE, RunnerReason.SCHEDULED, "", observed.now());
  }

  private static RunnerTimeline timeline(
      ObservedRunner observed, @Nullable Instant startedAt, @Nullable Instant finishedAt) {
    var before = observed.ownStatus().timeline();
    var pod = observed.pod();
    var placement = pod == null ? null : pod.placement();
    // The node's clock may be ahead of ours: none of its times is later than what followed.
    var latest = finishedAt == null ? observed.now() : finishedAt;
    var started =
        atMost(
            latest,
            firstOf(
                before == null ? null : before.started(), firstOf(startedAt, containerStart(pod))));
    var scheduled =
        atMost(
            latest,
            firstOf(
                before == null ? null : before.scheduled(),
                placement != null && placement.scheduled() ? placement.since() : null));
    var job = observed.observedStatus().job();
    return new RunnerTimeline(
        Timestamps.parse(observed.runner().getMetadata().getCreationTimestamp()),
        scheduled,
        null,
        started,
        finishedAt == null || job == null ? null : job.startedAt(),
        finishedAt);
  }

  private static @Nullable Instant containerStart(@Nullable PodView pod) {
    return switch (pod == null ? null : pod.runner()) {
      case null -> null;
      case RunnerContainer.Waiting _ -> null;
      case RunnerContainer.Running(var at) -> at;
      case RunnerContainer.Terminated ended -> ended.startedAt();
    };
  }

  private static @Nullable Instant atMost(Instant latest, @Nullable Instant time) {
    return time == null || time.isBefore(latest) ? time : latest;
  }

  private static @Nullable Instant firstOf(@Nullable Instant first, @Nullable Instant second) {
    return first != null ? first : second;
  }
}
