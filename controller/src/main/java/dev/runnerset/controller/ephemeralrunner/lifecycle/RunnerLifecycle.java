package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The life of a runner: from what is observed to what is done. The steps stand in the order in
 * which they are asked; the first that knows the runner's state decides.
 */
public final class RunnerLifecycle {
  private interface Step {
    Optional<RunnerDecision> decide(ObservedRunner observed);
  }

  private static final List<Step> STEPS =
      List.of(
          LostJobPlanner::decide, // its job counts as lost (RN18)
          FinalizerPlanner::decide, // it is being deleted (RN11)
          RunnerLifecycle::rewritten, // somebody wiped its status
          RetainedRunnerPlanner::decide, // it has ended, and may be kept (RT12)
          RunnerLifecycle::ofAnotherRegistration, // nobody can tell what its pod runs
          ExitedRunnerPlanner::decide, // its container has ended (RN8)
          RunnerLifecycle::endedUnseen, // its pod has ended, and nobody saw how
          RunnerLifecycle::lost, // its pod is gone
          UnstartedRunnerPlanner::decide, // it has no pod yet (RN1)
          PendingRunnerPlanner::decide, // its container does not run yet (RN15)
          RunnerLifecycle::running);

  private RunnerLifecycle() {}

  /** What to do about a runner. */
  public static RunnerDecision decide(ObservedRunner observed) {
    return STEPS.stream()
        .flatMap(step -> step.decide(observed).stream())
        .findFirst()
        .orElseGet(RunnerDecision::nothing)
        .by(LostJobPlanner.dueAt(observed));
  }

  private static Optional<RunnerDecision> rewritten(ObservedRunner observed) {
    return observed.isWiped() || RunnerStatuses.isRetentionConditionOutdated(observed)
        ? Optional.of(RunnerDecision.write(RunnerStatuses.rewritten(observed)).by(observed.now()))
        : Optional.empty();
  }

  private static Optional<RunnerDecision> ofAnotherRegistration(ObservedRunner observed) {
    var pod = observed.pod();
    var mismatch = pod == null ? null : pod.registrationMismatch(observed.runnerId());
    return mismatch == null || observed.observedStatus().isBusy() // a running job is left alone
        ? Optional.empty()
        : failed(observed, RunnerReason.REGISTRATION_MISMATCH, mismatch);
  }

  /**
   * The pod has ended, and its status says nothing about the runner's container: it was evicted,
   * refused by its node, or forgotten by its kubelet.
   */
  private static Optional<RunnerDecision> endedUnseen(ObservedRunner observed) {
    var pod = observed.pod();
    if (pod == null || !pod.isOverUnseen()) {
      return Optional.empty();
    }
    var obstacle = pod.obstacle();
    var reason = obstacle == null ? RunnerReason.POD_FAILED : RunnerReason.INIT_CONTAINER_FAILED;
    var unsaid =
        obstacle == null
            ? "the pod ended, and its status does not say how the runner's container ended"
            : obstacle.sentence();
    var message = pod.message().isEmpty() ? unsaid : pod.message();
    return failed(
        observed,
        Reason.mirrored(pod.reason(), reason),
        RunnerStatuses.withLostJob(observed, message));
  }

  /** INVARIANT (I6): once a pod was made there is never another one for this runner. */
  private static Optional<RunnerDecision> lost(ObservedRunner observed) {
    return observed.pod() == null && observed.podWasMade()
        ? Optional.of(RunnerDecision.now(new RunnerAction.ConfirmLoss()))
        : Optional.empty();
  }

  private static Optional<RunnerDecision> running(ObservedRunner observed) {
    var pod = observed.pod();
    if (pod == null || !(pod.runner() instanceof RunnerContainer.Running(var startedAt))) {
      return Optional.empty();
    }
    if (!observed.hadJob() && observed.memory().registrationOverdue()) {
      return Optional.of(OverdueStartPlanner.unregistered(observed));
    }
    if (!observed.hadJob() && observed.memory().removal().nothingLeft()) {
      return Optional.of(OverdueStartPlanner.goOn(observed));
    }
    return observed.ownStatus().phase() == RunnerPhase.RUNNING && !observed.isAgeUnknown()
        ? Optional.empty()
        : Optional.of(
            RunnerDecision.write(
                RunnerStatuses.running(
                    observed, Objects.requireNonNullElse(startedAt, observed.now()))));
  }

  private static Optional<RunnerDecision> failed(
      ObservedRunner observed, Reason reason, String message) {
    return Optional.of(RunnerDecision.write(RunnerStatuses.failed(observed, reason, message)));
  }
}
