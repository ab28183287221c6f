package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.RunnerFailure;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;

/**
 * A runner whose container has ended. Exit code 0 proves nothing by itself (RN8): the runner ended
 * well only if the service completed its job, or has lost its registration as after a job.
 */
public final class ExitedRunnerPlanner {
  /** The runner's exit code when the service refused its version (protocol 8.6). */
  static final int VERSION_REFUSED = 7;

  private ExitedRunnerPlanner() {}

  /** How the container ended; reason and message are the kubelet's, or empty. */
  record Exit(RunnerExit seen, String reason, String message) {
    static Exit of(RunnerExit seen) {
      return new Exit(seen, "", "");
    }

    static Exit of(ObservedRunner observed, RunnerContainer.Terminated ended) {
      var known = observed.knownExit();
      var pod = observed.pod();
      var seen = RunnerExit.seen(known, ended.exitCode(), ended.finishedAt(), observed.now());
      // a deletion of the pod after the exit was seen says nothing about the exit
      boolean deleted = known != null ? known.podDeleted() : pod != null && pod.isTakenAway();
      return new Exit(
          new RunnerExit(seen.at(), seen.exitCode(), deleted), ended.reason(), ended.message());
    }
  }

  static RunnerDecision decide(ObservedRunner observed, Exit exit) {
    var note = new RunnerAction.NoteExit(exit.seen());
    if (exit.seen().exitCode() == 0) {
      return exitedWithZero(observed, exit.seen(), note);
    }
    if (exit.seen().exitCode() == VERSION_REFUSED && !observed.hadJob()) {
      return exitedWithSeven(observed, exit, note);
    }
    return RunnerDecision.now(
        note, failed(observed, RunnerPhase.FAILED, exit.seen(), failure(observed, exit)));
  }

  /**
   * A refused version stops the whole set, so first make sure that the runner had no job without
   * our knowledge: a runner that had a job was accepted with its version.
   */
  private static RunnerDecision exitedWithSeven(
      ObservedRunner observed, Exit exit, RunnerAction.NoteExit note) {
    if (!observed.isRegistrationGone()) {
      return requestRemoval(observed, note);
    }
    return observed.leftItsRegistration()
        ? RunnerDecision.now(
            note, failed(observed, RunnerPhase.OUTDATED, exit.seen(), versionRefused()))
        : RunnerDecision.now(
            note, failed(observed, RunnerPhase.FAILED, exit.seen(), failure(observed, exit)));
  }

  private static RunnerDecision exitedWithZero(
      ObservedRunner observed, RunnerExit exit, RunnerAction.NoteExit note) {
    if (observed.isJobCompleted()
        || (observed.observedStatus().isBusy() && observed.isRegistrationGone())) {
      return endedWell(observed, exit, note);
    }
    var settledAt = exit.at().plus(Times.SETTLE);
    if (settledAt.isAfter(observed.now()) && !observed.leftItsRegistration()) {
      return isIdleByDeletion(observed, exit)
          ? requestRemoval(observed, RemovalReason.ENDED_BY_DELETION, note).by(settledAt)
          : RunnerDecision.requeue(settledAt, note);
    }
    return observed.isRegistrationGone()
        ? withoutMessages(observed, exit, note)
        : requestRemoval(observed, note);
  }

  /**
   * Whether most likely nothing but the deletion of its pod ended the runner. Then the service is
   * asked at once, so that the place of an idle runner is filled.
   */
  private static boolean isIdleByDeletion(ObservedRunner observed, RunnerExit exit) {
    return exit.podDeleted()
        && observed.set() != null
        && !observed.isStandalone()
        && !observed.hadJob()
        && !observed.isRegistrationGone();
  }

  /**
   * No message named a job, as while the listener has no session. A completed job takes the
   * registration of its runner along; a runner that had no job leaves it behind (protocol 7.3).
   */
  private static RunnerDecision withoutMessages(
      ObservedRunner observed, RunnerExit exit, RunnerAction.NoteExit note) {
    return observed.leftItsRegistration()
        ? RunnerDecision.now(
            note, failed(observed, RunnerPhase.FAILED, exit, exitedWithoutJob(observed, exit)))
        : RunnerDecision.now(
            note,
            new RunnerAction.WriteStatus(RunnerStatuses.succeededUnheard(observed, exit.at())));
  }

  private static RunnerDecision requestRemoval(
      ObservedRunner observed, RunnerAction.NoteExit note) {
    var reason = observed.hadJob() ? RemovalReason.ENDED : RemovalReason.ENDED_UNHEARD;
    return requestRemoval(observed, reason, note);
  }

  private static RunnerDecision requestRemoval(
      ObservedRunner observed, RemovalReason reason, RunnerAction.NoteExit note) {
    var again = observed.memory().removal().nextRequestAfterOneRefusal(observed.observedStatus());
    return again.isAfter(observed.now())
        ? RunnerDecision.requeue(again, note)
        : RunnerDecision.now(note, new RunnerAction.RemoveRegistration(reason));
  }

  private static RunnerDecision endedWell(
      ObservedRunner observed, RunnerExit exit, RunnerAction.NoteExit note) {
    var end = RunnerStatuses.succeeded(observed, exit.at());
    return observed.isKeptWith(end)
        ? RunnerDecision.now(note, new RunnerAction.WriteStatus(end))
        : RunnerDecision.now(note);
  }

  private static RunnerAction failed(
      ObservedRunner observed, RunnerPhase phase, RunnerExit exit, RunnerFailure failure) {
    return new RunnerAction.WriteStatus(RunnerStatuses.failed(observed, phase, exit.at(), failure));
  }

  private static RunnerFailure exitedWithoutJob(ObservedRunner observed, RunnerExit exit) {
    if (exit.podDeleted()) {
      return podDeleted(observed, exit);
    }
    return RunnerStatuses.failure(
        RunnerReason.EXITED_WITHOUT_JOB,
        "the runner exited with 0 without a known job, and its registration was still at the"
            + " service",
        0);
  }

  private static RunnerFailure versionRefused() {
    return RunnerStatuses.failure(
        RunnerReason.RUNNER_VERSION_REJECTED,
        "the service refused the runner's version: use a newer image",
        VERSION_REFUSED);
  }

  /** The deletion ended the container; the exit code only tells how it took the signal. */
  private static RunnerFailure podDeleted(ObservedRunner observed, RunnerExit exit) {
    var disruption = observed.pod() == null ? "" : observed.pod().state().disruption();
    var who =
        disruption.isEmpty() ? "somebody deleted the pod, or its node went" : "the pod was deleted";
    return RunnerStatuses.failure(
        Reason.mirrored(disruption, RunnerReason.POD_DELETED),
        RunnerStatuses.withLostJob(
            observed, who + ", and the runner exited with " + exit.exitCode()),
        exit.exitCode());
  }

  private static RunnerFailure failure(ObservedRunner observed, Exit exit) {
    var code = exit.seen().exitCode();
    var pod = observed.pod();
    var podReason = pod == null ? "" : pod.state().reason();
    if (exit.seen().podDeleted() && podReason.isEmpty()) {
      return podDeleted(observed, exit.seen());
    }
    var message = exit.message();
    if (message.isEmpty()) {
      var ofPod = pod == null ? "" : pod.state().message();
      message = ofPod.isEmpty() ? "the runner container exited with " + code : ofPod;
    }
    return RunnerStatuses.failure(
        reason(podReason, exit), RunnerStatuses.withLostJob(observed, message), code);
  }

  private static Reason reason(String podReason, Exit exit) {
    if (exit.reason().equals(RunnerReason.OOM_KILLED.word())) {
      return RunnerReason.OOM_KILLED;
    }
    if (!podReason.isEmpty()) {
      return new Reason.Mirrored(podReason); // such as Evicted: why the kubelet ended the container
    }
    return switch (exit.reason()) {
      case "", "Error", "Completed" -> RunnerReason.CONTAINER_EXITED; // the kubelet's words
      default -> new Reason.Mirrored(exit.reason());
    };
  }
}
