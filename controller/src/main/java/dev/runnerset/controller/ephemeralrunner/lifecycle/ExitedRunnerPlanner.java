package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.RunnerFailure;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A runner whose container has ended. Exit code 0 proves nothing by itself (RN8): the runner ended
 * well only if the service completed its job, or has lost its registration as after a job.
 */
final class ExitedRunnerPlanner {
  /** The runner's exit code when the service refused its version (protocol 8.6). */
  static final int VERSION_REFUSED = 7;

  private ExitedRunnerPlanner() {}

  /** How the container ended; reason and message are the kubelet's, or empty. */
  private record Exit(RunnerExit seen, String reason, String message) {
    /** That of a runner whose container has ended by all that is known, else null. */
    static @Nullable Exit of(ObservedRunner observed) {
      var pod = observed.pod();
      if (pod != null && pod.runner() instanceof RunnerContainer.Terminated ended) {
        return new Exit(
            Objects.requireNonNull(observed.seenExit()), ended.reason(), ended.message());
      }
      // its own state comes first: while it is known, the pod as a whole decides nothing
      if (pod != null && !pod.isOverUnseen()) {
        return null;
      }
      if (observed.knownExit() != null) {
        return new Exit(observed.knownExit(), "", "");
      }
      // nobody can tell any more how it ended
      return observed.isJobCompleted() || (pod != null && pod.isSucceeded())
          ? new Exit(new RunnerExit(observed.now(), 0), "", "")
          : null;
    }
  }

  static Optional<RunnerDecision> decide(ObservedRunner observed) {
    return Optional.ofNullable(Exit.of(observed))
        .map(exit ->
            (exit.seen().exitCode() == 0 && !isCutOff(observed)
                    ? zero(observed, exit.seen())
                    : error(observed, exit))
                .after(new RunnerAction.NoteExit(exit.seen())));
  }

  /**
   * Whether its lifetime ended it before its job, as far as is known: 0 only says how it took the
   * signal.
   */
  private static boolean isCutOff(ObservedRunner observed) {
    var pod = observed.pod();
    return pod != null && pod.isPastDeadline() && !observed.isJobCompleted();
  }

  /**
   * A refused version stops the whole set, so first make sure that the runner had no job without
   * our knowledge: a runner that had a job was accepted with its version.
   */
  private static RunnerDecision error(ObservedRunner observed, Exit exit) {
    boolean refused = exit.seen().exitCode() == VERSION_REFUSED && !observed.hadJob();
    if (refused && !observed.isRegistrationGone()) {
      return requestRemoval(observed, RemovalReason.ENDED_UNHEARD);
    }
    return refused && observed.leftItsRegistration()
        ? failed(observed, RunnerPhase.OUTDATED, exit.seen(), versionRefused())
        : failed(observed, RunnerPhase.FAILED, exit.seen(), failure(observed, exit));
  }

  private static RunnerDecision zero(ObservedRunner observed, RunnerExit exit) {
    if (observed.isJobCompleted()
        || (observed.observedStatus().isBusy() && observed.isRegistrationGone())) {
      var end = RunnerStatuses.succeeded(observed, exit.at());
      return observed.isKeptWith(end) ? RunnerDecision.write(end) : RunnerDecision.nothing();
    }
    var settledAt = exit.at().plus(Times.SETTLE);
    if (settledAt.isAfter(observed.now()) && !observed.leftItsRegistration()) {
      return isIdleByDeletion(observed, exit)
          ? requestRemoval(observed, RemovalReason.ENDED_BY_DELETION).by(settledAt)
          : RunnerDecision.at(settledAt);
    }
    if (!observed.isRegistrationGone()) {
      return requestRemoval(
          observed, observed.hadJob() ? RemovalReason.ENDED : RemovalReason.ENDED_UNHEARD);
    }
    // No message named a job, as while the listener has no session. A completed job takes the
    // registration of its runner along; a runner that had no job leaves it behind (protocol 7.3).
    return observed.leftItsRegistration()
        ? failed(observed, RunnerPhase.FAILED, exit, exitedWithoutJob(observed, exit))
        : RunnerDecision.write(RunnerStatuses.succeededUnheard(observed, exit.at()));
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

  private static RunnerDecision requestRemoval(ObservedRunner observed, RemovalReason reason) {
    var again = observed.nextRemovalAt();
    return RunnerDecision.remove(reason, again, observed.now());
  }

  private static RunnerDecision failed(
      ObservedRunner observed, RunnerPhase phase, RunnerExit exit, RunnerFailure failure) {
    return RunnerDecision.write(RunnerStatuses.failed(observed, phase, exit.at(), failure));
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
    var disruption = observed.pod() == null ? "" : observed.pod().disruption();
    var who =
        disruption.isEmpty()
            ? "somebody deleted the pod, or its node was removed"
            : "the pod" + " was deleted";
    return RunnerStatuses.failure(
        Reason.mirrored(disruption, RunnerReason.POD_DELETED),
        RunnerStatuses.withLostJob(
            observed, who + ", and the runner exited with " + exit.exitCode()),
        exit.exitCode());
  }

  private static RunnerFailure failure(ObservedRunner observed, Exit exit) {
    var code = exit.seen().exitCode();
    var pod = observed.pod();
    var podReason = pod == null ? "" : pod.reason();
    if (exit.seen().podDeleted() && podReason.isEmpty()) {
      return podDeleted(observed, exit.seen());
    }
    if (pod != null && pod.isPastDeadline()) {
      return RunnerStatuses.failure(
          RunnerReason.DEADLINE_EXCEEDED,
          RunnerStatuses.withLostJob(
              observed,
              "the kubelet ended the pod after its activeDeadlineSeconds, which spec.maxLifetime or"
                  + " the template sets, and the runner exited with "
                  + code),
          code);
    }
    var message = exit.message();
    if (message.isEmpty()) {
      var ofPod = pod == null ? "" : pod.message();
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
