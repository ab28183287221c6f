package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.RunnerFailure;
import dev.runnerset.crds.condition.RunnerReason;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which failed runners count as failed starts: those that did not start, and those that ended
 * soon after. A runner that had waited for a job for a while did start, so its loss says nothing of
 * the next runner: a reclaimed spot node, a drained node, a pod that somebody deleted.
 */
@Pure
final class FailedStart {
  /** The pod went, or the kubelet or the scheduler ended it: not the runner's own doing. */
  private static final Set<String> LOSSES =
      Set.of(
          RunnerReason.POD_LOST.word(),
          RunnerReason.POD_DELETED.word(),
          "Evicted", // this and those below are the words of the kubelet and the scheduler
          "Preempting",
          "Preempted",
          "NodeLost",
          "NodeShutdown",
          "Shutdown",
          "Terminated",
          "EvictionByEvictionAPI", // and these are those of the condition DisruptionTarget
          "PreemptionByScheduler",
          "DeletionByTaintManager",
          "DeletionByPodGC",
          "TerminationByKubelet");

  private FailedStart() {}

  /** Whether the pod went, as with its node, or was taken away. */
  static boolean isLoss(@Nullable RunnerFailure failure) {
    return failure != null && failure.reason() != null && LOSSES.contains(failure.reason());
  }

  /** Whether the end of a failed runner counts for the backoff. */
  static boolean is(RunnerView failed, @Nullable RunnerFailure failure) {
    var endedAt = failed.endedAt();
    if (!failed.ready() || endedAt == null) {
      return true;
    }
    if (failure != null && RunnerReason.REGISTRATION_OVERDUE.word().equals(failure.reason())) {
      return true; // it never stood
    }
    return endedAt.isBefore(
        failed
            .waitingSince()
            .plus(
                isLoss(failure) ? EphemeralRunnerSetTimes.STOOD : EphemeralRunnerSetTimes.PROVEN));
  }
}
