package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.RunnerFailure;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Duration;

/**
 * A runner whose container has ended. Exit 0 says nothing by itself (RN8): only a completion heard,
 * or the service's word, makes it an end in good order. Pure.
 */
public final class ExitedRunnerPlanner {
  /** Within this time after the end, marks and completion may still be on their way (LV3). */
  public static final Duration SETTLE = Duration.ofSeconds(30);

  /** The runner's exit code when the service refused its version (protocol 8.6). */
  public static final int VERSION_REFUSED = 7;

  private ExitedRunnerPlanner() {}

  /** How it ended; reason and message as the kubelet says, or empty. */
  public record Seen(RunnerExit exit, String reason, String message) {
    static Seen of(RunnerExit exit) {
      return new Seen(exit, "", "");
    }

    static Seen of(ObservedRunner s, RunnerContainer.Terminated ended) {
      var known = s.knownExit();
      var exit = RunnerExit.seen(known, ended.exitCode(), ended.finishedAt(), s.now());
      // once it has ended, a deletion of its pod says nothing of the end
      boolean deleted = known != null ? known.podDeleted() : s.pod() != null && s.pod().deleting();
      return new Seen(
          new RunnerExit(exit.at(), exit.exitCode(), deleted), ended.reason(), ended.message());
    }
  }

  public static RunnerDecision decide(ObservedRunner s, Seen seen) {
    var note = new RunnerAction.NoteExit(seen.exit());
    if (seen.exit().exitCode() == 0) {
      return exitedWithZero(s, seen.exit(), note);
    }
    if (seen.exit().exitCode() == VERSION_REFUSED && !s.hadJob()) {
      return exitedWithSeven(s, seen, note);
    }
    return RunnerDecision.now(note, failed(s, RunnerPhase.FAILED, seen.exit(), failure(s, seen)));
  }

  /**
   * A refused version holds the whole set, so it is made sure that the runner had no job of which
   * nobody heard: a runner that had one was accepted with its version.
   */
  private static RunnerDecision exitedWithSeven(
      ObservedRunner s, Seen seen, RunnerAction.NoteExit note) {
    if (!s.registrationGone()) {
      return ask(s, note);
    }
    return s.leftItsRegistration()
        ? RunnerDecision.now(note, failed(s, RunnerPhase.OUTDATED, seen.exit(), refused()))
        : RunnerDecision.now(note, failed(s, RunnerPhase.FAILED, seen.exit(), failure(s, seen)));
  }

  private static RunnerDecision exitedWithZero(
      ObservedRunner s, RunnerExit exit, RunnerAction.NoteExit note) {
    if (s.isJobCompleted() || (s.observedStatus().isBusy() && s.registrationGone())) {
      return endedWell(s, exit, note);
    }
    var settled = exit.at().plus(SETTLE);
    if (settled.isAfter(s.now())) {
      return RunnerDecision.lookAgain(settled, note);
    }
    return s.registrationGone() ? unheard(s, exit, note) : ask(s, note);
  }

  /**
   * Neither mark nor completion, as while the listener has no session. A job that is over takes the
   * registration of its runner along; a runner that had none leaves it behind (protocol 7.3).
   */
  private static RunnerDecision unheard(
      ObservedRunner s, RunnerExit exit, RunnerAction.NoteExit note) {
    return s.leftItsRegistration()
        ? RunnerDecision.now(note, failed(s, RunnerPhase.FAILED, exit, withoutJob(exit)))
        : RunnerDecision.now(
            note, new RunnerAction.WriteStatus(RunnerStatuses.succeededUnheard(s, exit.at())));
  }

  private static RunnerDecision ask(ObservedRunner s, RunnerAction.NoteExit note) {
    var again = RemovalWait.until(s.observedStatus(), s.attempt());
    return again.isAfter(s.now())
        ? RunnerDecision.lookAgain(again, note)
        : RunnerDecision.now(
            note,
            new RunnerAction.RemoveRegistration(
                s.hadJob() ? RemovalReason.ENDED : RemovalReason.ENDED_UNHEARD));
  }

  private static RunnerDecision endedWell(
      ObservedRunner s, RunnerExit exit, RunnerAction.NoteExit note) {
    var end = RunnerStatuses.succeeded(s, exit.at());
    return s.staysAs(end)
        ? RunnerDecision.now(note, new RunnerAction.WriteStatus(end))
        : RunnerDecision.now(note);
  }

  private static RunnerAction failed(
      ObservedRunner s, RunnerPhase phase, RunnerExit exit, RunnerFailure failure) {
    return new RunnerAction.WriteStatus(RunnerStatuses.failed(s, phase, exit.at(), failure));
  }

  private static RunnerFailure withoutJob(RunnerExit exit) {
    if (exit.podDeleted()) {
      return podDeleted(exit);
    }
    return RunnerStatuses.failure(
        RunnerReason.EXITED_WITHOUT_JOB,
        "the runner exited with 0, no job was heard of it, and its registration was still there",
        0);
  }

  private static RunnerFailure refused() {
    return RunnerStatuses.failure(
        RunnerReason.RUNNER_VERSION_REJECTED,
        "the service refused the runner's version: use a newer image",
        VERSION_REFUSED);
  }

  /** Why its container ended; the exit code says only how it took the signal. */
  private static RunnerFailure podDeleted(RunnerExit exit) {
    return RunnerStatuses.failure(
        RunnerReason.POD_DELETED,
        "its pod was deleted, by somebody or with its node, and the runner exited with "
            + exit.exitCode(),
        exit.exitCode());
  }

  private static RunnerFailure failure(ObservedRunner s, Seen seen) {
    var code = seen.exit().exitCode();
    var pod = s.pod();
    if (seen.exit().podDeleted() && (pod == null || pod.reason().isEmpty())) {
      return podDeleted(seen.exit());
    }
    var message = seen.message();
    if (message.isEmpty()) {
      var said = pod == null ? "" : pod.message();
      message = said.isEmpty() ? "the runner container exited with " + code : said;
    }
    return RunnerStatuses.failure(
        reason(pod == null ? "" : pod.reason(), seen), withLostJob(s, message), code);
  }

  /**
   * The message of a failure; whoever reads it learns first that a job was lost with the runner.
   */
  public static String withLostJob(ObservedRunner s, String message) {
    return s.observedStatus().isBusy() && !s.isJobCompleted()
        ? "the runner had a job when it ended: " + message
        : message;
  }

  private static Reason reason(String podReason, Seen seen) {
    if (seen.reason().equals(RunnerReason.OOM_KILLED.word())) {
      return RunnerReason.OOM_KILLED;
    }
    if (!podReason.isEmpty()) {
      return new Reason.Mirrored(podReason); // as Evicted: why the kubelet ended the container
    }
    return switch (seen.reason()) {
      case "", "Error", "Completed" -> RunnerReason.CONTAINER_EXITED; // the kubelet's words
      default -> new Reason.Mirrored(seen.reason());
    };
  }
}
