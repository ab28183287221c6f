package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.EphemeralRunnerStatus;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;

/** What is to be done about a runner. */
public sealed interface RunnerAction {
  /** Register it, make its secret and its pod, as far as that is not done. */
  record Start(PodTemplateSpec template) implements RunnerAction {}

  /** See whether a start of unknown outcome made the pod; if it did not, the runner has failed. */
  record GiveUp() implements RunnerAction {}

  /** Delete the resource, so that the set makes another under another name. */
  record Replace(String why) implements RunnerAction {}

  /** Ask the server whether its pod is really gone, and if so it has failed. */
  record ConfirmLoss() implements RunnerAction {}

  /** Write our part of the status. */
  record WriteStatus(EphemeralRunnerStatus status) implements RunnerAction {}

  /** Remember how its container ended, for the set. */
  record NoteExit(RunnerExit exit) implements RunnerAction {}

  /** Remember what it waits for, so that a trouble is told only if it stands. */
  record NoteTrouble(StartProblem trouble) implements RunnerAction {}

  /** Delete its pod: it has ended, and its set keeps no pods. */
  record DeletePod() implements RunnerAction {}

  /** Ask the service to remove the registration of a runner that has ended. */
  record RemoveRegistration(RemovalReason reason) implements RunnerAction {}
}
