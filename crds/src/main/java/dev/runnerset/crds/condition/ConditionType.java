package dev.runnerset.crds.condition;

import java.util.EnumSet;
import java.util.Set;

/** The types of all conditions, and the kinds that have them. */
public enum ConditionType {
  READY(Kind.AUTOSCALING_RUNNER_SET),
  /** Some runners fail or cannot start, and others stand. */
  DEGRADED(Kind.AUTOSCALING_RUNNER_SET),
  /** It has its scale set. */
  REGISTERED(Kind.AUTOSCALING_RUNNER_SET),
  LISTENER_READY(Kind.AUTOSCALING_RUNNER_SET),
  CAPACITY_LIMITED(Kind.AUTOSCALING_RUNNER_SET),
  /** Fields of the template are dropped by the API server. */
  TEMPLATE_WARNING(Kind.AUTOSCALING_RUNNER_SET),
  RETENTION_REFUSED(Kind.AUTOSCALING_RUNNER_SET),
  /** Windows of spec.schedule cannot be followed as they are written. */
  SCHEDULE_INVALID(Kind.AUTOSCALING_RUNNER_SET),
  /** GitHub soon gives no job to runners of the set's version. */
  RUNNER_VERSION_EXPIRING(Kind.AUTOSCALING_RUNNER_SET),
  /** GitHub gives no job to runners of the set's version any more. */
  RUNNER_VERSION_EXPIRED(Kind.AUTOSCALING_RUNNER_SET),
  /** A part of what shields running jobs is missing. */
  SHIELD_INCOMPLETE(Kind.AUTOSCALING_RUNNER_SET),
  /** A part of the installation is too old for the others. */
  UPGRADE_REQUIRED(Kind.AUTOSCALING_RUNNER_SET),
  /** Another controller sees the set too, and leaves it alone; it writes this one by itself. */
  OTHER_CONTROLLER(Kind.AUTOSCALING_RUNNER_SET),
  /** Only a user can mend what keeps the set from what its spec says: kstatus' word for it. */
  STALLED(Kind.AUTOSCALING_RUNNER_SET),
  /** Passes over the object fail. */
  PASSES_FAILING(Kind.AUTOSCALING_RUNNER_SET, Kind.EPHEMERAL_RUNNER_SET, Kind.EPHEMERAL_RUNNER),
  RUNNERS_FAILING(Kind.AUTOSCALING_RUNNER_SET, Kind.EPHEMERAL_RUNNER_SET),
  ROLLOUT_STALLED(Kind.AUTOSCALING_RUNNER_SET),
  RUNNERS_NOT_ENDING(Kind.AUTOSCALING_RUNNER_SET, Kind.EPHEMERAL_RUNNER_SET),
  /** Runners without a known job stay on a node that is to be left. */
  DRAIN_HELD(Kind.AUTOSCALING_RUNNER_SET, Kind.EPHEMERAL_RUNNER_SET),
  /** Jobs run on nodes that are about to go. */
  JOBS_AT_RISK(Kind.AUTOSCALING_RUNNER_SET, Kind.EPHEMERAL_RUNNER_SET),
  RUNNERS_NOT_REGISTERING(Kind.AUTOSCALING_RUNNER_SET, Kind.EPHEMERAL_RUNNER_SET),
  JOBS_STRANDED(Kind.AUTOSCALING_RUNNER_SET, Kind.EPHEMERAL_RUNNER_SET),
  RUNNER_GC_REFUSED(Kind.AUTOSCALING_RUNNER_SET),
  RUNNER_GC_FAILING(Kind.AUTOSCALING_RUNNER_SET),
  RUNNER_GC_THRASHING(Kind.AUTOSCALING_RUNNER_SET),
  RUNNERS_PENDING(Kind.AUTOSCALING_RUNNER_SET, Kind.EPHEMERAL_RUNNER_SET),
  CHILD_REFERENCES_TRUNCATED(Kind.EPHEMERAL_RUNNER_SET),
  /** A session is open and polls are answered. */
  CONNECTED(Kind.AUTOSCALING_LISTENER),
  /** Messages can be applied to the set and its runners. */
  MESSAGES_APPLIED(Kind.AUTOSCALING_LISTENER),
  /** What messages say of jobs was not written onto a runner; reported for a while. */
  MARKS_DROPPED(Kind.AUTOSCALING_RUNNER_SET, Kind.AUTOSCALING_LISTENER),
  SCHEDULED(Kind.EPHEMERAL_RUNNER),
  STARTED(Kind.EPHEMERAL_RUNNER),
  /** The service has a registration of it, whether it is connected or not. */
  REGISTRATION_MADE(Kind.EPHEMERAL_RUNNER),
  /** The outcome; while it is absent or Unknown the runner has not ended. */
  SUCCEEDED(Kind.EPHEMERAL_RUNNER),
  REMOVABLE(Kind.EPHEMERAL_RUNNER),
  RETENTION_ACCEPTED(Kind.EPHEMERAL_RUNNER);

  /** The kinds of this product. */
  public enum Kind {
    AUTOSCALING_RUNNER_SET,
    EPHEMERAL_RUNNER_SET,
    EPHEMERAL_RUNNER,
    AUTOSCALING_LISTENER
  }

  private final Set<Kind> kinds;

  ConditionType(Kind first, Kind... others) {
    this.kinds = EnumSet.of(first, others);
  }

  /** The type as it stands in the API. */
  public String word() {
    return Words.of(name());
  }

  /** Whether objects of that kind have it. */
  public boolean isOf(Kind kind) {
    return kinds.contains(kind);
  }
}
