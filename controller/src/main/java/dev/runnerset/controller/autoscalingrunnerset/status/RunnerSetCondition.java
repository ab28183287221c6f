package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.retention.RetentionCheck;
import dev.runnerset.controller.scaling.CapacityPlan.LimitedBy;
import dev.runnerset.crds.AutoScalingListenerStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.function.Function;

/** The conditions of a set; every one is set on every pass. Pure. */
public enum RunnerSetCondition {
  /** Whether runners come when jobs come; its reason names the first thing that is in the way. */
  READY("Ready", RunnerSetCondition::ready),
  /** Whether the set has its scale set at the Actions service. */
  REGISTERED("Registered", RunnerSetCondition::registered),
  /** Whether a listener holds the message session of the set. */
  LISTENER_READY("ListenerReady", RunnerSetCondition::listenerReady),
  /** Whether fewer jobs are taken than could be, and why. */
  CAPACITY_LIMITED("CapacityLimited", RunnerSetCondition::capacityLimited),
  /** Whether fields of spec.retention hold for nothing, and which. */
  RETENTION_REFUSED("RetentionRefused", RunnerSetCondition::retentionRefused),
  /** Whether runners fail before they get a job; mirrored from the EphemeralRunnerSet. */
  RUNNERS_FAILING("RunnersFailing", RunnerSetCondition::runnersFailing),
  /** Whether runners of a new revision have not started for long, so that its rollout stands. */
  ROLLOUT_STALLED("RolloutStalled", RunnerSetCondition::rolloutStalled),
  /** Whether the set's own maximum idle age cannot be followed: no runner goes for its age then. */
  RUNNER_GC_REFUSED("RunnerGCRefused", RunnerSetCondition::runnerGcRefused),
  /** Whether warm runners go for their age again and again without a job in between. */
  RUNNER_GC_THRASHING("RunnerGCThrashing", RunnerSetCondition::runnerGcThrashing);

  /** One condition's value. */
  record Verdict(String status, String reason, String message) {
    static Verdict yes(String reason, String message) {
      return new Verdict("True", reason, message);
    }

    static Verdict no(String reason, String message) {
      return new Verdict("False", reason, message);
    }

    static Verdict no(Finding finding) {
      return no(finding.reason(), finding.message());
    }

    static Verdict unknown(Finding finding) {
      return new Verdict("Unknown", finding.reason(), finding.message());
    }

    boolean isTrue() {
      return status.equals("True");
    }
  }

  private static final String CONNECTED = "Connected";

  private final String type;
  private final Function<ConditionInput, Verdict> verdict;

  RunnerSetCondition(String type, Function<ConditionInput, Verdict> verdict) {
    this.type = type;
    this.verdict = verdict;
  }

  public String type() {
    return type;
  }

  public Verdict of(ConditionInput view) {
    return verdict.apply(view);
  }

  private static Verdict ready(ConditionInput view) {
    if (view.deletion() != null) {
      return Verdict.no("Deleting", view.deletion());
    }
    if (view.template() != null) {
      return Verdict.no(view.template());
    }
    if (view.registration() instanceof Registration.Failed(var finding, _)) {
      return Verdict.no(finding);
    }
    if (view.registration() instanceof Registration.Asking(var finding)) {
      return Verdict.no(finding);
    }
    if (view.cluster() != null) {
      return Verdict.no(view.cluster());
    }
    var failing = runnersFailing(view);
    if (failing.isTrue()) {
      return Verdict.no(failing.reason(), failing.message());
    }
    var stalled = rolloutStalled(view);
    if (stalled.isTrue()) {
      return Verdict.no(stalled.reason(), stalled.message());
    }
    var listener = listenerReady(view);
    if (!listener.isTrue()) {
      return Verdict.no(listener.reason(), listener.message());
    }
    return switch (view.mode()) {
      case ACTIVE -> Verdict.yes("Ready", "");
      case PAUSED -> Verdict.yes("Paused", "spec.mode is Paused: no new jobs are taken");
      case DRAINED -> Verdict.yes("Drained", "spec.mode is Drained: no new jobs are taken");
    };
  }

  private static Verdict registered(ConditionInput view) {
    return switch (view.registration()) {
      case Registration.Registered(var id, _) -> Verdict.yes("Registered", "scale set " + id);
      case Registration.Asking(var finding) -> Verdict.unknown(finding);
      case Registration.Failed(var finding, _) -> Verdict.no(finding);
    };
  }

  private static Verdict listenerReady(ConditionInput view) {
    var listener = view.listener();
    if (listener == null) {
      return Verdict.no("NoListener", "no listener is asked for yet: see the other conditions");
    }
    if (listener.holder() == null || listener.holder().isEmpty()) {
      return Verdict.no(
          "NotHeld",
          "no listener process has taken the set yet: check that one runs and sees the listener"
              + " namespace");
    }
    return connected(listener);
  }

  /** Whether the listener holds the session of the set. */
  public static boolean isConnected(AutoScalingListenerStatus listener) {
    return connected(listener).isTrue();
  }

  private static Verdict connected(AutoScalingListenerStatus listener) {
    var found =
        listener.conditions().stream().filter(c -> CONNECTED.equals(c.getType())).findFirst();
    if (found.isEmpty()) {
      return Verdict.no("Connecting", "the listener has not opened its session yet");
    }
    var condition = found.get();
    var message = condition.getMessage() == null ? "" : condition.getMessage();
    return "True".equals(condition.getStatus())
        ? Verdict.yes(CONNECTED, "")
        : Verdict.no(new Finding(reason(condition, "NotConnected"), message));
  }

  private static Verdict capacityLimited(ConditionInput view) {
    var limit = view.capacity().limitedBy();
    return limit == null ? Verdict.no("NotLimited", "") : Verdict.yes(limit.word(), advice(limit));
  }

  private static String advice(LimitedBy limit) {
    return switch (limit) {
      case MAX_RUNNERS -> "spec.maxRunners are spoken for: more jobs wait at the service";
      case PAUSED -> "spec.mode is Paused";
      case DRAINED -> "spec.mode is Drained";
      case DELETED -> "the set is being deleted";
    };
  }

  private static Verdict retentionRefused(ConditionInput view) {
    return RetentionCheck.problem(view.retention())
        .map(problem -> Verdict.yes("InvalidRetention", problem))
        .orElseGet(() -> Verdict.no("NotRefused", ""));
  }

  private static Verdict runnersFailing(ConditionInput view) {
    var condition = view.runnersFailing();
    if (condition == null || !"True".equals(condition.getStatus())) {
      return Verdict.no("NoFailures", "");
    }
    var message = condition.getMessage() == null ? "" : condition.getMessage();
    return Verdict.yes(reason(condition, "RunnersFailing"), message);
  }

  private static Verdict rolloutStalled(ConditionInput view) {
    var stalled = view.rolloutStalled();
    return stalled == null ? Verdict.no("NotStalled", "") : Verdict.yes("RunnersPending", stalled);
  }

  private static Verdict runnerGcRefused(ConditionInput view) {
    var refused = view.ages().refused();
    return refused == null
        ? Verdict.no("NotRefused", "")
        : Verdict.yes(refused.reason(), refused.message());
  }

  /** The number stays out of the message while nothing is wrong: it would be a write a sweep. */
  private static Verdict runnerGcThrashing(ConditionInput view) {
    return view.ages().thrashing()
        ? Verdict.yes("NoJobsBetween", AgeView.thrashing(view.ages().collected()))
        : Verdict.no("NotThrashing", "");
  }

  private static String reason(Condition condition, String otherwise) {
    return condition.getReason() == null || condition.getReason().isEmpty()
        ? otherwise
        : condition.getReason();
  }
}
