package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.retention.rules.RetentionCheck;
import dev.runnerset.controller.scaling.CapacityPlan.LimitedBy;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The conditions of a runner set. Every pass computes each of them. */
public enum RunnerSetCondition {
  /** Whether jobs get runners; the reason names the first obstacle. */
  READY(ConditionType.READY, RunnerSetCondition::ready),
  /** Whether the set has its scale set at the Actions service. */
  REGISTERED(ConditionType.REGISTERED, RunnerSetCondition::registered),
  /** Whether a listener holds the message session of the set. */
  LISTENER_READY(ConditionType.LISTENER_READY, RunnerSetCondition::listenerReady),
  /** Whether the set takes fewer jobs than it could, and why. */
  CAPACITY_LIMITED(ConditionType.CAPACITY_LIMITED, RunnerSetCondition::capacityLimited),
  /** Whether fields of spec.retention are ignored because they are invalid, and which. */
  RETENTION_REFUSED(ConditionType.RETENTION_REFUSED, RunnerSetCondition::retentionRefused),
  /** Whether runners fail before they get a job; mirrored from the EphemeralRunnerSet. */
  RUNNERS_FAILING(ConditionType.RUNNERS_FAILING, RunnerSetCondition::runnersFailing),
  /** Whether the rollout makes no progress because runners of the new revision do not start. */
  ROLLOUT_STALLED(ConditionType.ROLLOUT_STALLED, RunnerSetCondition::rolloutStalled),
  /** Whether the set's own maximum idle age is invalid: then no runner is removed for its age. */
  RUNNER_GC_REFUSED(ConditionType.RUNNER_GC_REFUSED, RunnerSetCondition::runnerGcRefused),
  /** Whether warm runners are removed for their age again and again without a job in between. */
  RUNNER_GC_THRASHING(ConditionType.RUNNER_GC_THRASHING, RunnerSetCondition::runnerGcThrashing);

  /** Status, reason and message of a condition. */
  record Verdict(Value value, Reason reason, String message) {
    static Verdict yes(Reason reason, String message) {
      return new Verdict(Value.TRUE, reason, message);
    }

    static Verdict no(Reason reason, String message) {
      return new Verdict(Value.FALSE, reason, message);
    }

    static Verdict no(Finding finding) {
      return no(finding.reason(), finding.message());
    }

    static Verdict unknown(Finding finding) {
      return new Verdict(Value.UNKNOWN, finding.reason(), finding.message());
    }

    boolean isTrue() {
      return value == Value.TRUE;
    }
  }

  private final ConditionType type;
  private final Function<ConditionInput, Verdict> verdict;

  RunnerSetCondition(ConditionType type, Function<ConditionInput, Verdict> verdict) {
    this.type = type;
    this.verdict = verdict;
  }

  public ConditionType type() {
    return type;
  }

  public Verdict of(ConditionInput input) {
    return verdict.apply(input);
  }

  /**
   * All conditions in their fixed order; equal to {@code before} when nothing changed.
   *
   * @param now the transition time of those whose status changed
   */
  public static List<Condition> all(
      List<Condition> before, ConditionInput input, long generation, Instant now) {
    return Arrays.stream(values())
        .map(condition -> {
          var verdict = condition.of(input);
          return StatusConditions.build(
              before,
              condition.type(),
              verdict.value(),
              verdict.reason(),
              verdict.message(),
              generation,
              now);
        })
        .toList();
  }

  private static Verdict ready(ConditionInput input) {
    if (input.obstacles().deletion() != null) {
      return Verdict.no(RunnerSetReason.DELETING, input.obstacles().deletion());
    }
    if (input.obstacles().template() != null) {
      return Verdict.no(input.obstacles().template());
    }
    if (input.obstacles().registration() instanceof Registration.Failed(var finding, _)) {
      return Verdict.no(finding);
    }
    if (input.obstacles().registration() instanceof Registration.Asking(var finding)) {
      return Verdict.no(finding);
    }
    if (input.obstacles().cluster() != null) {
      return Verdict.no(input.obstacles().cluster());
    }
    var failing = runnersFailing(input);
    if (failing.isTrue()) {
      return Verdict.no(failing.reason(), failing.message());
    }
    var stalled = rolloutStalled(input);
    if (stalled.isTrue()) {
      return Verdict.no(stalled.reason(), stalled.message());
    }
    var listener = listenerReady(input);
    if (!listener.isTrue()) {
      return Verdict.no(listener.reason(), listener.message());
    }
    return switch (input.mode()) {
      case ACTIVE -> Verdict.yes(RunnerSetReason.READY, "");
      case PAUSED ->
          Verdict.yes(RunnerSetReason.PAUSED, "spec.mode is Paused: no new jobs are taken");
      case DRAINED ->
          Verdict.yes(RunnerSetReason.DRAINED, "spec.mode is Drained: no new jobs are taken");
    };
  }

  private static Verdict registered(ConditionInput input) {
    return switch (input.obstacles().registration()) {
      case Registration.Registered(var id, _) ->
          Verdict.yes(RunnerSetReason.REGISTERED, "scale set " + id);
      case Registration.Asking(var finding) -> Verdict.unknown(finding);
      case Registration.Failed(var finding, _) -> Verdict.no(finding);
    };
  }

  private static Verdict listenerReady(ConditionInput input) {
    var listener = input.listener();
    if (listener == null) {
      return Verdict.no(
          RunnerSetReason.NO_LISTENER,
          "the set has no listener object yet: see the other conditions");
    }
    if (listener.holder() == null || listener.holder().isEmpty()) {
      return Verdict.no(
          RunnerSetReason.NOT_HELD,
          "no listener process holds the set yet: check that a listener runs and can read the"
              + " listener namespace");
    }
    return connected(listener);
  }

  /** Whether the listener holds the session of the set. */
  public static boolean isConnected(AutoScalingListenerStatus listener) {
    return connected(listener).isTrue();
  }

  private static Verdict connected(AutoScalingListenerStatus listener) {
    var found = StatusConditions.find(listener.conditions(), ConditionType.CONNECTED);
    if (found.isEmpty()) {
      return Verdict.no(RunnerSetReason.CONNECTING, "the listener has not opened its session yet");
    }
    var condition = found.get();
    return StatusConditions.has(condition, Value.TRUE)
        ? Verdict.yes(RunnerSetReason.CONNECTED, "")
        : Verdict.no(
            new Finding(
                StatusConditions.reason(condition, RunnerSetReason.NOT_CONNECTED),
                StatusConditions.message(condition)));
  }

  private static Verdict capacityLimited(ConditionInput input) {
    var limit = input.capacity().limitedBy();
    return limit == null
        ? Verdict.no(RunnerSetReason.NOT_LIMITED, "")
        : Verdict.yes(limit.reason(), advice(limit));
  }

  private static String advice(LimitedBy limit) {
    return switch (limit) {
      case MAX_RUNNERS ->
          "all places of spec.maxRunners are taken: further jobs wait at the service";
      case PAUSED -> "spec.mode is Paused";
      case DRAINED -> "spec.mode is Drained";
      case DELETED -> "the set is being deleted";
    };
  }

  private static Verdict retentionRefused(ConditionInput input) {
    return RetentionCheck.problem(input.retention())
        .map(problem -> Verdict.yes(RunnerSetReason.INVALID_RETENTION, problem))
        .orElseGet(() -> Verdict.no(RunnerSetReason.NOT_REFUSED, ""));
  }

  private static Verdict runnersFailing(ConditionInput input) {
    var condition = input.runners().failing();
    if (condition == null || !StatusConditions.has(condition, Value.TRUE)) {
      return Verdict.no(RunnerSetReason.NO_FAILURES, "");
    }
    return Verdict.yes(
        StatusConditions.reason(condition, RunnerSetReason.RUNNERS_FAILING),
        StatusConditions.message(condition));
  }

  private static Verdict rolloutStalled(ConditionInput input) {
    var stalled = input.runners().rolloutStalled();
    return stalled == null
        ? Verdict.no(RunnerSetReason.NOT_STALLED, "")
        : Verdict.yes(RunnerSetReason.RUNNERS_PENDING, stalled);
  }

  private static Verdict runnerGcRefused(ConditionInput input) {
    var refused = input.runners().ages().refused();
    return refused == null
        ? Verdict.no(RunnerSetReason.NOT_REFUSED, "")
        : Verdict.yes(refused.reason(), refused.message());
  }

  /** While False, the message has no number: each sweep would write it. */
  private static Verdict runnerGcThrashing(ConditionInput input) {
    return input.runners().ages().thrashing()
        ? Verdict.yes(
            RunnerSetReason.NO_JOBS_BETWEEN, thrashing(input.runners().ages().collected()))
        : Verdict.no(RunnerSetReason.NOT_THRASHING, "");
  }

  /** The message of {@link #RUNNER_GC_THRASHING} while it is True. */
  public static String thrashing(int collected) {
    return collected
        + " runners were collected for their age since the last job: raise"
        + " spec.garbageCollection.maximumIdleAge or --runner-maximum-gc-age, lower spec.minRunners,"
        + " or set spec.garbageCollection.afterwards to Release";
  }
}
