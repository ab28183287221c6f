package dev.runnerset.crds.condition;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * What must change before a problem of a set is over, by the reason of its condition (WR3). A
 * reason that is new must be named here, or nothing compiles.
 */
public enum Mending {
  /** Nothing that waiting does not bring, or the set does what its spec says all the same. */
  WAIT("It ends by itself, unless the message says what to change."),
  /** The spec itself. */
  SPEC("Change the spec of the set."),
  /** What the spec needs beside it: a secret, a config map, an account, a binding, a right. */
  BESIDE_SPEC(
      "Change what the spec needs beside it: a secret, a config map, an account, a binding, a"
          + " right.");

  private final String advice;

  Mending(String advice) {
    this.advice = advice;
  }

  /** What a person does, in a sentence; the message of the condition says what to change. */
  public String advice() {
    return advice;
  }

  /** Of the reason of a condition of a set; {@link #WAIT} for a word that others chose. */
  public static Mending of(String word) {
    return Stream.of(
            Reason.of(RunnerSetReason.class, word).map(Mending::of),
            Reason.of(AccessReason.class, word).map(Mending::of),
            Reason.of(EphemeralRunnerSetReason.class, word).map(Mending::of))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(WAIT);
  }

  private static Mending of(RunnerSetReason reason) {
    return switch (reason) {
      case SCALE_SET_NAME_TAKEN,
          ADOPTION_REQUIRED,
          SCALE_SET_SHARED,
          LABELS_NOT_TAKEN,
          NAME_TOO_LONG,
          SPEC_INVALID,
          SPEC_TOO_LARGE,
          TEMPLATE_INVALID,
          TEMPLATE_REFUSED,
          INVALID_RETENTION,
          INVALID_SCHEDULE,
          FEATURE_GATE_OFF,
          MAXIMUM_IDLE_AGE_INVALID ->
          SPEC;
      case RUNNER_GROUP_NOT_FOUND,
          TEMPLATE_FORBIDDEN,
          FIELDS_CHANGED,
          CHILD_FOREIGN,
          CLUSTER_FORBIDDEN,
          CLUSTER_NOT_FOUND ->
          BESIDE_SPEC;
      case PENDING,
          READY,
          PAUSED,
          DRAINING,
          DRAINED,
          DELETING,
          REGISTERED,
          REGISTERING,
          TEMPLATE_UNCHECKED,
          UNKNOWN_FIELDS,
          CONNECTED,
          NO_LISTENER,
          NOT_HELD,
          HOLDER_LOST,
          CONNECTING,
          NOT_CONNECTED,
          CHILD_TERMINATING,
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
          BUDGET_MISSING,
          POLICY_MISSING,
          POLICY_CHANGED,
          POLICY_NOT_VISIBLE,
          NODES_NOT_VISIBLE,
          DATE_NEAR,
          DATE_PASSED,
          LEASE_FRESH,
          LEASE_NOT_VISIBLE,
          RUNNERS_FAILING,
          RUNNERS_PENDING,
          SWEEP_FAILED,
          NO_JOBS_BETWEEN ->
          WAIT;
    };
  }

  private static Mending of(AccessReason reason) {
    return switch (reason) {
      case INVALID_CONFIG_URL -> SPEC;
      case SECRET_NOT_FOUND,
          SECRET_MALFORMED,
          ROLE_MISSING,
          INVALID_CONNECTION,
          PROXY_INVALID,
          CERTIFICATE_NOT_FOUND,
          CERTIFICATE_INVALID,
          UNAUTHORIZED,
          FORBIDDEN,
          NOT_FOUND,
          CERTIFICATE_NOT_TRUSTED,
          HOST_NOT_ALLOWED ->
          BESIDE_SPEC;
      case RATE_LIMITED,
          HOST_NOT_FOUND,
          CONNECTION_REFUSED,
          PROXY_FAILED,
          SERVICE_UNAVAILABLE,
          CONFLICT,
          REFUSED,
          CANCELLED,
          MALFORMED_ANSWER ->
          WAIT;
    };
  }

  private static Mending of(EphemeralRunnerSetReason reason) {
    return switch (reason) {
      case RUNNER_VERSION_REJECTED -> SPEC;
      case PASS_FAILED,
          BACK_OFF,
          EXIT_OVERDUE,
          IDLE_NOT_REMOVED,
          NODE_LEAVES,
          START_SLOW,
          START_OVERDUE,
          REGISTRATION_OVERDUE,
          JOB_NOT_TAKEN,
          TOO_MANY_RUNNERS ->
          WAIT;
    };
  }
}
