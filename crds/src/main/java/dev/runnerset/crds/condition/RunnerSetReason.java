package dev.runnerset.crds.condition;

import java.util.Set;
import java.util.stream.Stream;

/** Reasons of the conditions of an AutoScalingRunnerSet. */
public enum RunnerSetReason implements Reason.Known {
  /** No controller has looked at the set: the default of the kind, which nobody writes. */
  PENDING,
  READY,
  PAUSED,
  DRAINING,
  DRAINED,
  DELETING,
  REGISTERED,
  REGISTERING,
  RUNNER_GROUP_NOT_FOUND,
  SCALE_SET_NAME_TAKEN,
  ADOPTION_REQUIRED,
  SCALE_SET_SHARED,
  LABELS_NOT_TAKEN,
  NAME_TOO_LONG,
  SPEC_INVALID,
  SPEC_TOO_LARGE,
  TEMPLATE_INVALID,
  TEMPLATE_REFUSED,
  TEMPLATE_UNCHECKED,
  TEMPLATE_FORBIDDEN,
  UNKNOWN_FIELDS,
  FIELDS_CHANGED,
  CONNECTED,
  NO_LISTENER,
  NOT_HELD,
  HOLDER_LOST,
  CONNECTING,
  NOT_CONNECTED,
  CHILD_FOREIGN,
  CHILD_TERMINATING,
  CLUSTER_FORBIDDEN,
  CLUSTER_NOT_FOUND,
  NAMESPACE_TERMINATING,
  CLUSTER_ERROR,
  INTERNAL_ERROR,
  PASS_OVERDUE,
  MAX_RUNNERS,
  QUOTA,
  STARTS_PER_MINUTE,
  UNSCHEDULABLE,
  FAILING,
  NOT_STARTING,
  DELETED,
  KINDS_OUTDATED,
  LISTENER_OUTDATED,
  CONTROLLER_OUTDATED,
  POLICY_OUTDATED,
  INVALID_RETENTION,
  BUDGET_MISSING,
  POLICY_MISSING,
  POLICY_CHANGED,
  POLICY_NOT_VISIBLE,
  NODES_NOT_VISIBLE,
  LEASE_FRESH,
  LEASE_NOT_VISIBLE,
  INVALID_SCHEDULE,
  DATE_NEAR,
  DATE_PASSED,
  RUNNERS_FAILING,
  RUNNERS_PENDING,
  FEATURE_GATE_OFF,
  MAXIMUM_IDLE_AGE_INVALID,
  SWEEP_FAILED,
  NO_JOBS_BETWEEN;

  private static final Set<String> OF_A_START =
      words(REGISTERING, NO_LISTENER, NOT_HELD, CONNECTING);

  private static final Set<String> ASKED_FOR = words(PAUSED, DRAINING, DRAINED, DELETED, DELETING);

  private static Set<String> words(RunnerSetReason... reasons) {
    return Set.copyOf(Stream.of(reasons).map(Reason::word).toList());
  }

  /** Whether a set has the reason in each normal start. */
  public static boolean isOfAStart(String word) {
    return OF_A_START.contains(word);
  }

  /** Whether the reason says that a user asked for the state that the set is in. */
  public static boolean isAskedFor(String word) {
    return ASKED_FOR.contains(word);
  }
}
