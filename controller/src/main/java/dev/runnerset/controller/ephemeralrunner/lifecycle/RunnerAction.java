package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.condition.Reason;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;

/** One thing to do about a runner. */
public sealed interface RunnerAction {
  /** Register the runner, make its secret and its pod, from where its start stands. */
  record Start(PodTemplateSpec template) implements RunnerAction {}

  /** Look whether a start of unknown outcome made the pod; if it did not, the runner has failed. */
  record GiveUp() implements RunnerAction {}

  /** Delete the resource, so that its EphemeralRunnerSet makes another under another name. */
  record Replace(String why) implements RunnerAction {}

  /** Ask the API server whether the pod is really gone; if it is, the runner has failed. */
  record ConfirmLoss() implements RunnerAction {}

  /** Write by what its job was lost, and report that. */
  record ReportLoss() implements RunnerAction {}

  /** Write our part of the status. */
  record WriteStatus(EphemeralRunnerStatus status) implements RunnerAction {}

  /** Remember how the container ended, for the EphemeralRunnerSet. */
  record NoteExit(RunnerExit exit) implements RunnerAction {}

  /** Remember what the pod waits for: the status says it only if it lasts. */
  record NoteProblem(StartProblem problem) implements RunnerAction {}

  /** Delete the pod: it has ended, and its set keeps no pods. */
  record DeletePod() implements RunnerAction {}

  /** Ask the service to remove the registration of a runner that has ended. */
  record RemoveRegistration(RemovalReason reason) implements RunnerAction {}

  /** Say in the status, and by an event where that is news, what the deletion waits for. */
  record ReportWaiting(Reason reason, String why) implements RunnerAction {}

  /** Let the runner go although a registration may be left, unless its pod runs all the same. */
  record LeaveRegistration() implements RunnerAction {}

  /**
   * Delete the pod, and then take our finalizer off the runner: it goes.
   *
   * @param why for the log
   */
  record RemoveFinalizer(String why) implements RunnerAction {}
}
