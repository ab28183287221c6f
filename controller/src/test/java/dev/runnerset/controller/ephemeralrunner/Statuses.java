package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.RunnerRemoval;
import org.jspecify.annotations.Nullable;

/** A status as its three writers change it. */
final class Statuses {
  private Statuses() {}

  /** As a merge patch does: what is not sent stays. */
  static EphemeralRunnerStatus merged(EphemeralRunnerStatus old, EphemeralRunnerStatus ours) {
    return new EphemeralRunnerStatus(
        ours.phase() == null ? old.phase() : ours.phase(),
        ours.conditions().isEmpty() ? old.conditions() : ours.conditions(),
        sent(ours.runnerId(), old.runnerId()),
        sent(ours.runnerName(), old.runnerName()),
        sent(ours.podName(), old.podName()),
        sent(ours.nodeName(), old.nodeName()),
        old.requestId(),
        old.jobId(),
        old.job(),
        old.jobResult(),
        sent(ours.idleSince(), old.idleSince()),
        sent(ours.completionTime(), old.completionTime()),
        sent(ours.timeline(), old.timeline()),
        old.removal(),
        sent(ours.failure(), old.failure()));
  }

  private static <T> @Nullable T sent(@Nullable T ours, @Nullable T old) {
    return ours == null ? old : ours;
  }

  static EphemeralRunnerStatus refused(EphemeralRunnerStatus old, RunnerRemoval removal) {
    return marked(old, old.jobId(), old.job(), removal);
  }

  static EphemeralRunnerStatus jobStarted(EphemeralRunnerStatus old) {
    return marked(old, "job", null, old.removal());
  }

  static EphemeralRunnerStatus jobCompleted(EphemeralRunnerStatus old) {
    var job = new RunnerJob(null, null, null, null, null, null, 1L);
    return marked(old, "job", job, old.removal());
  }

  private static EphemeralRunnerStatus marked(
      EphemeralRunnerStatus old,
      @Nullable String jobId,
      @Nullable RunnerJob job,
      @Nullable RunnerRemoval removal) {
    return new EphemeralRunnerStatus(
        old.phase(),
        old.conditions(),
        old.runnerId(),
        old.runnerName(),
        old.podName(),
        old.nodeName(),
        null,
        jobId,
        job,
        null,
        old.idleSince(),
        old.completionTime(),
        old.timeline(),
        removal,
        old.failure());
  }
}
