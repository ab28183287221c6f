package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.Retention;

/**
 * A runner that stays after its end (RT12): its registration and its secret go at once, its pod
 * where the set does not keep pods; what remains is for people to read. Pure.
 */
public final class RetainedRunnerPlanner {
  private RetainedRunnerPlanner() {}

  public static RunnerDecision decide(ObservedRunner s) {
    if (!s.staysAs(s.ownStatus())) {
      return RunnerDecision.nothing(); // its set deletes it, and the finalizer sees to the rest
    }
    if (Deregistration.isIn(s.ownStatus())) {
      return isPodToGo(s)
          ? RunnerDecision.now(new RunnerAction.DeletePod())
          : RunnerDecision.nothing();
    }
    return switch (FinalizerPlanner.registration(s)) {
      case FinalizerPlanner.Decision.LetGo() -> deregistered(s);
      // who stays gives nothing up: the credentials may come back
      case FinalizerPlanner.Decision.Ask(),
          FinalizerPlanner.Decision.AskAndLetGo(),
          FinalizerPlanner.Decision.GiveUp() ->
          ask(s);
      case FinalizerPlanner.Decision.Wait(var until) -> RunnerDecision.lookAgain(until);
    };
  }

  private static RunnerDecision ask(ObservedRunner s) {
    var again = s.attempt().patientRemovalNotBefore();
    return again != null && again.isAfter(s.now())
        ? RunnerDecision.lookAgain(again)
        : RunnerDecision.now(new RunnerAction.RemoveRegistration(RemovalReason.ENDED));
  }

  private static RunnerDecision deregistered(ObservedRunner s) {
    var mark = new RunnerAction.WriteStatus(Deregistration.marked(s));
    // I2: the pod of a runner that the service refused to remove stays until it is removed
    return isPodToGo(s)
        ? RunnerDecision.now(mark, new RunnerAction.DeletePod())
        : RunnerDecision.now(mark);
  }

  private static boolean isPodToGo(ObservedRunner s) {
    var retention = s.retention();
    return s.pod() != null
        && retention != null
        && retention.podPolicy() == Retention.PodPolicy.DELETE;
  }
}
