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
    return old.toBuilder()
        .phase(sent(ours.phase(), old.phase()))
        .conditions(ours.conditions().isEmpty() ? old.conditions() : ours.conditions())
        .runnerId(sent(ours.runnerId(), old.runnerId()))
        .runnerName(sent(ours.runnerName(), old.runnerName()))
        .podName(sent(ours.podName(), old.podName()))
        .nodeName(sent(ours.nodeName(), old.nodeName()))
        .idleSince(sent(ours.idleSince(), old.idleSince()))
        .completionTime(sent(ours.completionTime(), old.completionTime()))
        .timeline(sent(ours.timeline(), old.timeline()))
        .failure(sent(ours.failure(), old.failure()))
        .build();
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
    return old.toBuilder().jobId(jobId).job(job).removal(removal).build();
  }
}
