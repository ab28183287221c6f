package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.outcome.RetentionRules;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.Retention;

/**
 * A runner that stays after its end (RT12): its registration and its secret go at once, its pod
 * where the set keeps no pods, or where its start took too long (RN16). The rest stays for people
 * to read.
 */
final class RetainedRunnerPlanner {
  private RetainedRunnerPlanner() {}

  static RunnerDecision decide(ObservedRunner observed) {
    if (!observed.isKeptWith(observed.ownStatus())) {
      return RunnerDecision.nothing(); // its set deletes it, and the finalizer cleans up
    }
    if (RunnerStatuses.isDeregistered(observed.ownStatus())) {
      return mustDeletePod(observed)
          ? RunnerDecision.now(new RunnerAction.DeletePod())
          : RunnerDecision.nothing();
    }
    return switch (FinalizerPlanner.registration(observed)) {
      case FinalizerPlanner.Decision.RemoveFinalizer() -> deregistered(observed);
      // a kept runner is not given up: the credentials may come back
      case FinalizerPlanner.Decision.RequestRemoval(),
          FinalizerPlanner.Decision.RequestRemovalOnce(),
          FinalizerPlanner.Decision.GiveUpRemoval() ->
          requestRemoval(observed);
      case FinalizerPlanner.Decision.Wait(var until) -> RunnerDecision.requeue(until);
      case FinalizerPlanner.Decision.AwaitJob(var until) -> RunnerDecision.requeue(until);
    };
  }

  private static RunnerDecision requestRemoval(ObservedRunner observed) {
    var again = observed.memory().removal().patientNotBefore();
    return again != null && again.isAfter(observed.now())
        ? RunnerDecision.requeue(again)
        : RunnerDecision.now(new RunnerAction.RemoveRegistration(RemovalReason.ENDED));
  }

  private static RunnerDecision deregistered(ObservedRunner observed) {
    var mark = new RunnerAction.WriteStatus(RunnerStatuses.deregistered(observed));
    // I2: while the service refuses to remove a runner, its pod stays
    return mustDeletePod(observed)
        ? RunnerDecision.now(mark, new RunnerAction.DeletePod())
        : RunnerDecision.now(mark);
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
