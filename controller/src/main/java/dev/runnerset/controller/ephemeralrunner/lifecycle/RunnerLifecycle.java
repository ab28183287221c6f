package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Instant;

/**
 * The life of a runner: from what is observed to what is done. Its states: not started ({@link
 * UnstartedRunnerPlanner}), its pod not running yet ({@link PendingRunnerPlanner}), running, exited
 * ({@link ExitedRunnerPlanner}), terminal and kept ({@link RetainedRunnerPlanner}).
 */
public final class RunnerLifecycle {
  private RunnerLifecycle() {}

  /** What to do about a runner that is not being deleted. */
  public static RunnerDecision decide(ObservedRunner observed) {
    if (observed.isWiped() || RunnerStatuses.isRetentionConditionOutdated(observed)) {
      var rewrite = new RunnerAction.WriteStatus(RunnerStatuses.rewritten(observed));
      return RunnerDecision.requeue(observed.now(), rewrite);
    }
    if (observed.ownStatus().isTerminal()) {
      return RetainedRunnerPlanner.decide(observed);
    }
    return observed.pod() == null ? withoutPod(observed) : withPod(observed, observed.pod());
  }

  private static RunnerDecision withPod(ObservedRunner observed, PodView pod) {
    var mismatch = pod.registrationMismatch(observed.runnerId());
    if (mismatch != null && !observed.observedStatus().isBusy()) { // a running job is left alone
      return RunnerDecision.write(
          RunnerStatuses.failed(observed, RunnerReason.REGISTRATION_MISMATCH, mismatch));
    }
    // The runner container's own state comes first: while it is known, neither other containers nor
    // the pod as a whole decide anything.
    return switch (pod.runner()) {
      case RunnerContainer.Terminated ended ->
          ExitedRunnerPlanner.decide(observed, ExitedRunnerPlanner.Exit.of(observed, ended));
      case RunnerContainer.Running(var startedAt) ->
          running(observed, startedAt == null ? observed.now() : startedAt);
      case RunnerContainer.Waiting waiting ->
          pod.isOver()
              ? endedUnseen(observed, pod)
              : PendingRunnerPlanner.decide(observed, pod, waiting);
    };
  }

  private static RunnerDecision withoutPod(ObservedRunner observed) {
    if (observed.knownExit() != null) {
      return exited(observed, observed.knownExit());
    }
    if (observed.isJobCompleted()) {
      // The job is over, and nobody can tell any more how the container ended.
      return exited(observed, new RunnerExit(observed.now(), 0));
    }
    // INVARIANT (I6): once a pod was made there is never another one for this runner.
    return observed.podWasMade()
        ? RunnerDecision.now(new RunnerAction.ConfirmLoss())
        : UnstartedRunnerPlanner.decide(observed);
  }

  private static RunnerDecision running(ObservedRunner observed, Instant startedAt) {
    if (!observed.hadJob()) {
      if (observed.memory().registrationOverdue()) {
        return OverdueStartPlanner.unregistered(observed);
      }
      if (observed.memory().removal().nothingLeft()) {
        return OverdueStartPlanner.goOn(observed);
      }
    }
    if (observed.ownStatus().phase() == RunnerPhase.RUNNING && !observed.isAgeUnknown()) {
      return RunnerDecision.nothing();
    }
    return RunnerDecision.write(RunnerStatuses.running(observed, startedAt));
  }

  /**
   * The pod has ended, and its status says nothing about the runner's container: it was evicted,
   * refused by its node, or forgotten by its kubelet. An exit seen before, or the job's completion,
   * counts more.
   */
  private static RunnerDecision endedUnseen(ObservedRunner observed, PodView pod) {
    if (observed.knownExit() != null) {
      return exited(observed, observed.knownExit());
    }
    if (pod.isSucceeded() || observed.isJobCompleted()) {
      return exited(observed, new RunnerExit(observed.now(), 0));
    }
    var obstacle = pod.obstacle();
    var reason =
        Reason.mirrored(
            pod.state().reason(),
            obstacle == null ? RunnerReason.POD_FAILED : RunnerReason.INIT_CONTAINER_FAILED);
    var unsaid =
        obstacle == null
            ? "the pod ended, and its status does not say how the runner's container ended"
            : obstacle.sentence();
    var message = pod.state().message().isEmpty() ? unsaid : pod.state().message();
    return RunnerDecision.write(
        RunnerStatuses.failed(observed, reason, RunnerStatuses.withLostJob(observed, message)));
  }

  private static RunnerDecision exited(ObservedRunner observed, RunnerExit exit) {
    return ExitedRunnerPlanner.decide(observed, ExitedRunnerPlanner.Exit.of(exit));
  }
}
