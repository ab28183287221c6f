package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Instant;

/**
 * The life of a runner: from what is seen of it to what is to be done. Pure. The states: not
 * started ({@link UnstartedRunnerPlanner}), pod not running yet ({@link PendingRunnerPlanner}),
 * running, ended ({@link ExitedRunnerPlanner}), terminal ({@link RetainedRunnerPlanner}).
 */
public final class RunnerLifecycle {
  private RunnerLifecycle() {}

  /** What to do about a runner that is not being deleted. */
  public static RunnerDecision decide(ObservedRunner s) {
    if (s.isWiped() || RunnerStatuses.isRetentionMistold(s)) {
      var again = new RunnerAction.WriteStatus(RunnerStatuses.retold(s));
      return RunnerDecision.lookAgain(s.now(), again);
    }
    if (s.ownStatus().isTerminal()) {
      return RetainedRunnerPlanner.decide(s);
    }
    return s.pod() == null ? withoutPod(s) : withPod(s, s.pod());
  }

  private static RunnerDecision withPod(ObservedRunner s, PodView pod) {
    var mismatch = RegistrationMismatch.between(pod, s.runnerId());
    if (mismatch != null && !s.observedStatus().isBusy()) { // a job that runs is left alone
      var failure = RunnerStatuses.failure(RunnerReason.REGISTRATION_MISMATCH, mismatch, null);
      return RunnerDecision.now(
          new RunnerAction.WriteStatus(
              RunnerStatuses.failed(s, RunnerPhase.FAILED, s.now(), failure)));
    }
    // The runner container's own state comes first: side-cars and the pod as a whole decide
    // nothing while it can still be asked.
    return switch (pod.runner()) {
      case RunnerContainer.Terminated ended ->
          ExitedRunnerPlanner.decide(s, ExitedRunnerPlanner.Seen.of(s, ended));
      case RunnerContainer.Running(var startedAt) ->
          running(s, startedAt == null ? s.now() : startedAt);
      case RunnerContainer.Waiting waiting ->
          pod.isOver() ? endedUnseen(s, pod) : PendingRunnerPlanner.decide(s, pod, waiting);
    };
  }

  private static RunnerDecision withoutPod(ObservedRunner s) {
    if (s.knownExit() != null) {
      return ExitedRunnerPlanner.decide(s, ExitedRunnerPlanner.Seen.of(s.knownExit()));
    }
    if (s.isJobCompleted()) {
      // Its job is over, and how its container ended nobody can tell any more.
      return ExitedRunnerPlanner.decide(s, ExitedRunnerPlanner.Seen.of(new RunnerExit(s.now(), 0)));
    }
    // INVARIANT (I6): once a pod was made there is never another one for this runner.
    return s.podWasMade()
        ? RunnerDecision.now(new RunnerAction.ConfirmLoss())
        : UnstartedRunnerPlanner.decide(s);
  }

  private static RunnerDecision running(ObservedRunner s, Instant startedAt) {
    if (s.ownStatus().phase() == RunnerPhase.RUNNING && !s.isAgeUnknown()) {
      return RunnerDecision.nothing();
    }
    return RunnerDecision.now(new RunnerAction.WriteStatus(RunnerStatuses.running(s, startedAt)));
  }

  /**
   * The pod is over and says nothing of its runner: evicted, refused by its node, or its kubelet
   * forgot. What was seen of the container before, or heard of the job, is worth more.
   */
  private static RunnerDecision endedUnseen(ObservedRunner s, PodView pod) {
    if (s.knownExit() != null) {
      return ExitedRunnerPlanner.decide(s, ExitedRunnerPlanner.Seen.of(s.knownExit()));
    }
    if (pod.phase().equals("Succeeded") || s.isJobCompleted()) {
      // A pod succeeds when each of its containers exits with 0.
      return ExitedRunnerPlanner.decide(s, ExitedRunnerPlanner.Seen.of(new RunnerExit(s.now(), 0)));
    }
    var reason = Reason.mirrored(pod.reason(), RunnerReason.POD_FAILED);
    var message =
        pod.message().isEmpty() ? "the pod ended without a word of its runner" : pod.message();
    var failure = RunnerStatuses.failure(reason, ExitedRunnerPlanner.withLostJob(s, message), null);
    return RunnerDecision.now(
        new RunnerAction.WriteStatus(
            RunnerStatuses.failed(s, RunnerPhase.FAILED, s.now(), failure)));
  }
}
