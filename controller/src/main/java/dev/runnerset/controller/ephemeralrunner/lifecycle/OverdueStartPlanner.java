package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A runner whose start takes longer than its deadline ends (RN16): its registration first, by the
 * removal path, so that a runner with a job stays; then the runner has failed, and its pod goes.
 */
final class OverdueStartPlanner {
  private static final List<String> REASONS =
      Stream.of(
              RunnerReason.SCHEDULING_OVERDUE,
              RunnerReason.STARTUP_OVERDUE,
              RunnerReason.REGISTRATION_OVERDUE)
          .map(RunnerReason::word)
          .toList();

  private OverdueStartPlanner() {}

  /**
   * A step of the start that may not last for ever.
   *
   * @param until when the runner ends
   * @param message why, as of then
   */
  record Step(RunnerReason reason, Instant until, String message) {
    boolean isOver(Instant now) {
      return !until.isAfter(now);
    }
  }

  /**
   * What the start of a pod waits for, and until when.
   *
   * @param madeAt when the pod was made
   * @param problem what is in the way, if that is known
   */
  static Step pending(
      ObservedRunner observed, PodView pod, Instant madeAt, @Nullable StartProblem problem) {
    var deadlines = StartDeadlines.of(observed);
    var placement = pod.placement();
    if (placement == null || !placement.scheduled()) {
      return step(
          RunnerReason.SCHEDULING_OVERDUE,
          madeAt,
          deadlines.scheduling(),
          "no node took the pod for %s (spec.deadlines.scheduling)",
          problem);
    }
    var since = Objects.requireNonNullElse(placement.since(), madeAt);
    return step(
        RunnerReason.STARTUP_OVERDUE,
        since.isAfter(observed.now()) ? madeAt : since, // the server's clock may be ahead of ours
        deadlines.startup(),
        "the container did not start for %s (spec.deadlines.startup)",
        problem);
  }

  /** The runner did not connect to the service, as the counts of its set say (RN7). */
  static RunnerDecision unregistered(ObservedRunner observed) {
    return end(
        observed,
        RunnerReason.REGISTRATION_OVERDUE,
        "the container runs, and the runner did not connect to the service for %s"
                .formatted(GoDuration.text(StartDeadlines.of(observed).registration()))
            + " (spec.deadlines.registration)");
  }

  /**
   * Goes on with an end that was begun: the registration was removed, and the failure could not be
   * written. The counts of the set no longer tell of the runner, since the service has nothing of
   * it; and a container that has started meanwhile cannot connect any more.
   */
  static RunnerDecision goOn(ObservedRunner observed) {
    return observed.ownStatus().phase() == RunnerPhase.RUNNING
        ? unregistered(observed)
        : end(
            observed,
            RunnerReason.STARTUP_OVERDUE,
            "the container started after its registration had been removed, since its start took"
                + " longer than spec.deadlines allows");
  }

  /** Whether that failed runner was ended for a deadline of its start; then its pod goes. */
  static boolean hasEnded(EphemeralRunnerStatus status) {
    var failure = status.failure();
    return failure != null && REASONS.contains(Objects.requireNonNullElse(failure.reason(), ""));
  }

  static RunnerDecision end(ObservedRunner observed, RunnerReason reason, String message) {
    if (observed.isRegistrationGone()) {
      return RunnerDecision.now(
          new RunnerAction.WriteStatus(RunnerStatuses.overdue(observed, reason, message)),
          new RunnerAction.DeletePod());
    }
    var again = observed.memory().removal().nextRequestAt(observed.observedStatus());
    return RunnerDecision.remove(RemovalReason.START_OVERDUE, again, observed.now());
  }

  private static Step step(
      RunnerReason reason,
      Instant since,
      Duration deadline,
      String sentence,
      @Nullable StartProblem problem) {
    var message = sentence.formatted(GoDuration.text(deadline));
    return new Step(
        reason,
        since.plus(deadline),
        problem == null
            ? message
            : message + "; " + problem.reason().word() + ": " + problem.message());
  }
}
