package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;

/** Why a runner is removed; the word in logs, events and metrics. */
@Pure
public enum RemovalReason {
  /** More live runners than wanted. */
  SCALE_DOWN,
  /** The set is being deleted or drained. */
  SET_DELETED,
  /** The resource was deleted by somebody. */
  RUNNER_DELETED,
  /** Its container ended without a completion heard. */
  ENDED,
  /** Its container ended, and neither mark nor completion was heard. */
  ENDED_UNHEARD,
  /** The same, and its pod was being deleted: most likely it had no job (RN8). */
  ENDED_BY_DELETION,
  /** Another revision is wanted. */
  REVISION,
  /** The runner was idle for too long (AC2). */
  AGE,
  /** Its job is over, and its container does not end. */
  EXIT_OVERDUE,
  /** Its start took longer than its deadline (RN16). */
  START_OVERDUE,
  /** The runner is registered for a scale set that its runner set no longer has. */
  FORMER_SCALE_SET,
  /** The service does not know the runner, while its container runs (RN20). */
  UNREGISTERED,
  /** There is no resource of that registration (RN20). */
  LEFT_OVER,
  /** Its node is cordoned. */
  CORDONED;

  /** Whether the service is asked whether it has the runner before it is asked to remove it. */
  boolean isLookedUp() {
    return this == ENDED_UNHEARD || this == ENDED_BY_DELETION;
  }

  /** Whether its container has ended. */
  boolean isEnd() {
    return this == ENDED || this == ENDED_UNHEARD || this == ENDED_BY_DELETION;
  }
}
