package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.outcome.RetentionRules;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.Retention;
import java.util.List;
import java.util.Optional;

/**
 * A runner that stays after its end (RT12): its registration and its secret go at once, its pod
 * where the set keeps no pods, or where its start took too long (RN16). The rest stays for people
 * to read.
 */
final class RetainedRunnerPlanner {
  private RetainedRunnerPlanner() {}

  static Optional<RunnerDecision> decide(ObservedRunner observed) {
    return observed.ownStatus().isTerminal() ? Optional.of(ofEnded(observed)) : Optional.empty();
  }

  private static RunnerDecision ofEnded(ObservedRunner observed) {
    if (!observed.isKeptWith(observed.ownStatus())) {
      return RunnerDecision.nothing(); // its set deletes it, and the finalizer cleans up
    }
    if (!FinalizerPlanner.tookItsRegistrationAlong(observed)
        && !RunnerStatuses.isDeregistered(observed.ownStatus())) {
      var held = FinalizerPlanner.heldByJob(observed);
      if (held.isPresent()) {
        return new RunnerDecision(List.of(), held.get().requeue());
      }
      if (!observed.isRegistrationGone()) {
        return removed(observed);
      }
    }
    // I2: while the service refuses to remove a runner, its pod stays
    var pod =
        mustDeletePod(observed)
            ? RunnerDecision.now(new RunnerAction.DeletePod())
            : RunnerDecision.nothing();
    return RunnerStatuses.isDeregistered(observed.ownStatus())
        ? pod
        : pod.after(new RunnerAction.WriteStatus(RunnerStatuses.deregistered(observed)));
  }

  /** A kept runner is not given up without credentials: they may come back. */
  private static RunnerDecision removed(ObservedRunner observed) {
    var removal = observed.memory().removal();
    var again = observed.nextRemovalAt();
    var patient = removal.patientNotBefore();
    return RunnerDecision.remove(
        RemovalReason.ENDED,
        patient != null && patient.isAfter(again) ? patient : again,
        observed.now());
  }

  private static boolean mustDeletePod(ObservedRunner observed) {
    if (observed.pod() == null) {
      return false;
    }
    if (OverdueStartPlanner.hasEnded(observed.ownStatus())) {
      return true; // it would hold its place (RN16); an earlier request may have failed
    }
    if (observed.set() == null || observed.isStandalone()) {
      return false;
    }
    var retention = observed.retention();
    if (retention == null) {
      // nobody asked for the pod: the black box stays (RT13)
      var runner = observed.runner();
      return runner.getSpec().retention() == null && !RetentionRules.isRetained(runner);
    }
    return retention.podPolicy() == Retention.PodPolicy.DELETE;
  }
}
