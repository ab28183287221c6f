package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static dev.runnerset.crds.condition.ConditionType.REGISTERED;
import static dev.runnerset.crds.condition.ConditionType.RETENTION_ACCEPTED;
import static dev.runnerset.crds.condition.ConditionType.SCHEDULED;
import static dev.runnerset.crds.condition.ConditionType.STARTED;
import static dev.runnerset.crds.condition.ConditionType.SUCCEEDED;

import dev.runnerset.controller.retention.JobOutcome;
import dev.runnerset.controller.retention.RetentionCheck;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Our part of a runner's status at each of its steps; nothing of the other writers is in it. */
public final class RunnerStatuses {
  private RunnerStatuses() {}

  /** {@code status} without what the listener and the remover write. */
  public static EphemeralRunnerStatus ourPartOf(EphemeralRunnerStatus status) {
    return ourPartOf(status, status.conditions());
  }

  /** The same with other conditions. */
  public static EphemeralRunnerStatus ourPartOf(
      EphemeralRunnerStatus status, List<Condition> conditions) {
    return EphemeralRunnerStatus.builder()
        .phase(status.phase())
        .conditions(conditions)
        .runnerId(status.runnerId())
        .runnerName(status.runnerName())
        .podName(status.podName())
        .nodeName(status.nodeName())
        .idleSince(status.idleSince())
        .completionTime(status.completionTime())
        .timeline(status.timeline())
        .failure(status.failure())
        .build();
  }

  /** As it stands, where somebody wiped it or its retention block was corrected. */
  public static EphemeralRunnerStatus retold(ObservedRunner s) {
    return ourPartOf(s.ownStatus(), withRetention(s, s.ownStatus().conditions()));
  }

  /** Whether it tells of a retention block that is good by now. */
  public static boolean isRetentionMistold(ObservedRunner s) {
    return StatusConditions.find(s.ownStatus().conditions(), RETENTION_ACCEPTED).isPresent()
        && RetentionCheck.problem(s.runner().getSpec().retention()).isEmpty();
  }

  /** Its container has not started. */
  public static EphemeralRunnerStatus pending(ObservedRunner s, @Nullable StartProblem trouble) {
    var conditions = scheduled(s, s.ownStatus().conditions());
    if (trouble != null) {
      conditions =
          RunnerConditions.with(
              conditions,
              RunnerConditions.of(
                  trouble.condition(), Value.FALSE, trouble.reason(), trouble.message(), s.now()));
    }
    return status(s, RunnerPhase.PENDING, conditions, timeline(s, null, null), null);
  }

  /** Its container runs. */
  public static EphemeralRunnerStatus running(ObservedRunner s, Instant startedAt) {
    var conditions = started(s);
    return status(s, RunnerPhase.RUNNING, conditions, timeline(s, startedAt, null), null);
  }

  /**
   * It ended well; its registration went with it. The condition is the runner's own outcome, or
   * that of its job where the set says so; the phase is the runner's alike (RT11).
   */
  public static EphemeralRunnerStatus succeeded(ObservedRunner s, Instant finishedAt) {
    var jobFailure = JobOutcome.failure(s.observedStatus().jobResult(), s.retention());
    var outcome =
        jobFailure
            .map(reason ->
                RunnerConditions.of(
                    SUCCEEDED,
                    Value.FALSE,
                    reason,
                    "its job " + s.observedStatus().jobResult(),
                    finishedAt))
            .orElseGet(() ->
                RunnerConditions.of(
                    SUCCEEDED, Value.TRUE, RunnerReason.ENDED, "its job is over", finishedAt));
    return succeeded(s, outcome, finishedAt);
  }

  /** It ended well by all signs; the listener told nothing of its job. */
  public static EphemeralRunnerStatus succeededUnheard(ObservedRunner s, Instant finishedAt) {
    var message =
        "the runner exited with 0 and its registration is gone, as after a job; the listener told"
            + " of none";
    return succeeded(
        s,
        RunnerConditions.of(SUCCEEDED, Value.TRUE, RunnerReason.JOB_NOT_HEARD, message, finishedAt),
        finishedAt);
  }

  private static EphemeralRunnerStatus succeeded(
      ObservedRunner s, Condition outcome, Instant finishedAt) {
    var conditions =
        RunnerConditions.with(
            RunnerConditions.with(started(s), outcome), Deregistration.condition(s.now()));
    return status(s, RunnerPhase.SUCCEEDED, conditions, timeline(s, null, finishedAt), null);
  }

  /** It ended otherwise; {@code phase} is Failed or Outdated. */
  public static EphemeralRunnerStatus failed(
      ObservedRunner s, RunnerPhase phase, Instant at, RunnerFailure failure) {
    var reason =
        Reason.mirrored(Objects.requireNonNullElse(failure.reason(), ""), RunnerReason.UNKNOWN);
    var message = failure.message() == null ? "" : failure.message();
    var conditions =
        RunnerConditions.with(
            scheduled(s, s.ownStatus().conditions()),
            RunnerConditions.of(SUCCEEDED, Value.FALSE, reason, message, at));
    return status(s, phase, conditions, timeline(s, null, at), failure);
  }

  /** A failure in words that are bounded. */
  public static RunnerFailure failure(Reason reason, String message, @Nullable Integer exitCode) {
    return new RunnerFailure(reason.word(), RunnerConditions.cut(message), exitCode, Map.of());
  }

  private static EphemeralRunnerStatus status(
      ObservedRunner s,
      RunnerPhase phase,
      List<Condition> conditions,
      RunnerTimeline timeline,
      @Nullable RunnerFailure failure) {
    var ours = s.ownStatus();
    var pod = s.pod();
    var podName = pod != null ? pod.name() : ours.podName();
    var node = pod != null && pod.nodeName() != null ? pod.nodeName() : ours.nodeName();
    return EphemeralRunnerStatus.builder()
        .phase(phase)
        .conditions(withRetention(s, conditions))
        .runnerId(s.runnerId())
        .runnerName(s.runnerId() == null ? null : s.runner().getMetadata().getName())
        .podName(podName)
        .nodeName(node)
        .idleSince(
            phase == RunnerPhase.RUNNING && (ours.idleSince() == null || s.isAgeUnknown())
                ? s.now() // when we saw it run: the clock of its node may differ from ours
                : ours.idleSince())
        .completionTime(phase.isTerminal() ? completion(timeline) : null)
        .timeline(timeline)
        .failure(failure)
        .build();
  }

  /** The same instant as that of the condition, which has seconds (RT6). */
  private static @Nullable Instant completion(RunnerTimeline timeline) {
    var finished = timeline.finished();
    return finished == null ? null : finished.truncatedTo(ChronoUnit.SECONDS);
  }

  /** A time of its own that is none is told; one that is good needs no words. */
  private static List<Condition> withRetention(ObservedRunner s, List<Condition> conditions) {
    return RetentionCheck.problem(s.runner().getSpec().retention())
        .map(problem ->
            RunnerConditions.with(
                conditions,
                RunnerConditions.of(
                    RETENTION_ACCEPTED,
                    Value.FALSE,
                    RunnerReason.INVALID_RETENTION,
                    problem,
                    s.now())))
        .orElseGet(() -> StatusConditions.without(conditions, RETENTION_ACCEPTED));
  }

  private static List<Condition> started(ObservedRunner s) {
    var now = s.now();
    var list = scheduled(s, s.ownStatus().conditions());
    list =
        RunnerConditions.with(
            list, RunnerConditions.of(SCHEDULED, Value.TRUE, RunnerReason.SCHEDULED, "", now));
    list =
        RunnerConditions.with(
            list,
            RunnerConditions.of(STARTED, Value.TRUE, RunnerReason.CONTAINER_STARTED, "", now));
    return RunnerConditions.with(
        list, RunnerConditions.of(REGISTERED, Value.TRUE, RunnerReason.JIT_CONFIG_MADE, "", now));
  }

  private static List<Condition> scheduled(ObservedRunner s, List<Condition> list) {
    var pod = s.pod();
    if (pod == null || pod.placement() == null || !pod.placement().scheduled()) {
      return list;
    }
    return RunnerConditions.with(
        list, RunnerConditions.of(SCHEDULED, Value.TRUE, RunnerReason.SCHEDULED, "", s.now()));
  }

  private static RunnerTimeline timeline(
      ObservedRunner s, @Nullable Instant startedAt, @Nullable Instant finishedAt) {
    var before = s.ownStatus().timeline();
    var pod = s.pod();
    var placement = pod == null ? null : pod.placement();
    // The node's times, whose clock may be ahead of ours: none is later than what followed it.
    var latest = finishedAt == null ? s.now() : finishedAt;
    var started =
        earlier(
            firstOf(before == null ? null : before.started(), startedAt, containerStart(pod)),
            latest);
    var job = s.observedStatus().job();
    return new RunnerTimeline(
        created(s),
        earlier(
            firstOf(
                before == null ? null : before.scheduled(),
                placement != null && placement.scheduled() ? placement.since() : null,
                null),
            latest),
        null,
        started,
        // Registered means: a JIT registration exists and the container runs (RN7).
        started,
        finishedAt == null || job == null ? null : job.startedAt(),
        finishedAt);
  }

  private static @Nullable Instant containerStart(@Nullable PodView pod) {
    return switch (pod == null ? null : pod.runner()) {
      case null -> null;
      case RunnerContainer.Waiting(var reason, var message) -> null;
      case RunnerContainer.Running(var at) -> at;
      case RunnerContainer.Terminated t -> t.startedAt();
    };
  }

  private static @Nullable Instant earlier(@Nullable Instant told, Instant latest) {
    return told == null || told.isBefore(latest) ? told : latest;
  }

  private static @Nullable Instant firstOf(
      @Nullable Instant first, @Nullable Instant second, @Nullable Instant third) {
    if (first != null) {
      return first;
    }
    return second != null ? second : third;
  }

  private static @Nullable Instant created(ObservedRunner s) {
    return Timestamps.parse(s.runner().getMetadata().getCreationTimestamp());
  }
}
