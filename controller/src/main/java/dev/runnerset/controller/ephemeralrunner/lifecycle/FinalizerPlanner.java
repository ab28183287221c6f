package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.removal.BusySuspicion;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.CompletedIn;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * When the finalizer of a deleted runner may be removed (RN11): only when no registration can be
 * left behind, and no job can be lost.
 */
public final class FinalizerPlanner {
  /** The finalizer of an object whose dependents are deleted first. */
  private static final String FOREGROUND = "foregroundDeletion";

  /** What a deleted runner waits for after the service refused to remove it. */
  public static final String REFUSED =
      "the service says that it has a job, and is asked again when a message reports the end of the"
          + " job, or after some minutes";

  /** The longest until a deleted runner is reconciled again; events come first. */
  @Detail private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

  /** A change of the EphemeralRunnerSet is no event of the runner. */
  @Detail private static final Duration BETWEEN_READS_OF_SET = Duration.ofMillis(500);

  private FinalizerPlanner() {}

  /** What to do about the pod before the finalizer goes. */
  public enum PodDeletion {
    /** Nothing: it has ended or is being deleted, or there is none. */
    NONE,
    /** Delete it unless it has ended. */
    UNLESS_OVER,
    /** Delete it whatever it does. */
    ALWAYS
  }

  /**
   * What to do about the pod before the finalizer goes (SH4). The garbage collector may delete only
   * a pod that has ended; in a foreground deletion it was refused before, and tries again late.
   */
  public static PodDeletion podDeletion(ObservedRunner observed) {
    var pod = observed.pod();
    if (pod == null) {
      return observed.mayHavePod() ? PodDeletion.UNLESS_OVER : PodDeletion.NONE;
    }
    if (pod.terminating()) {
      return PodDeletion.NONE;
    }
    var finalizers = observed.runner().getMetadata().getFinalizers();
    // nobody else deletes a pod without an owner
    return pod.ownerUid().isEmpty() || (finalizers != null && finalizers.contains(FOREGROUND))
        ? PodDeletion.ALWAYS
        : pod.isOver() ? PodDeletion.NONE : PodDeletion.UNLESS_OVER;
  }

  /** What to do about a runner that is being deleted; empty for any other. */
  static Optional<RunnerDecision> decide(ObservedRunner observed) {
    if (!observed.runner().isMarkedForDeletion()) {
      return Optional.empty();
    }
    var exit = observed.seenExit();
    var decision = ofDeleted(observed);
    // the settle window begins when the end is first seen
    return Optional.of(exit == null ? decision : decision.after(new RunnerAction.NoteExit(exit)));
  }

  private static RunnerDecision ofDeleted(ObservedRunner observed) {
    var reason = reason(observed);
    if (ForcedDeletion.isOf(observed.runner())) {
      var go = RunnerDecision.now(new RunnerAction.RemoveFinalizer("forced"));
      return isNothingLeft(observed)
          ? go
          : go.after(new RunnerAction.RemoveRegistration(reason)); // once, whatever the answer
    }
    if (tookItsRegistrationAlong(observed)) {
      return onceDeregistered(observed);
    }
    var held = heldByJob(observed);
    if (held.isPresent()) {
      return held.get();
    }
    if (isNothingLeft(observed)) {
      return onceDeregistered(observed);
    }
    var removal = observed.memory().removal();
    var lost = removal.connectionLostSince();
    if (lost != null
        && !lost.plus(EphemeralRunnerTimes.LONGEST_WITHOUT_CREDENTIALS).isAfter(observed.now())
        && !mayRunnerRun(observed)) {
      return RunnerDecision.now(new RunnerAction.LeaveRegistration());
    }
    var latest = observed.now().plus(LONGEST_WAIT);
    var again = observed.nextRemovalAt();
    var decision =
        RunnerDecision.remove(reason, again.isAfter(latest) ? latest : again, observed.now());
    boolean refused = BusySuspicion.isStanding(observed.observedStatus().removal(), observed.now());
    return again.isAfter(observed.now()) && refused // it may be of before the deletion
        ? decision.after(new RunnerAction.ReportWaiting(RunnerReason.JOB_RUNNING, REFUSED))
        : decision;
  }

  private static RemovalReason reason(ObservedRunner observed) {
    if (observed.seenExit() != null) {
      return RemovalReason.ENDED;
    }
    return observed.isPodGone() ? RemovalReason.POD_GONE : RemovalReason.RUNNER_DELETED;
  }

  /**
   * What to do once nothing is left at the service. While the demand still counts the runner's job,
   * the runner counts as satisfying it: were it gone, another would be made in its place (LV7).
   */
  private static RunnerDecision onceDeregistered(ObservedRunner observed) {
    var go = RunnerDecision.now(new RunnerAction.RemoveFinalizer("nothing holds it"));
    var set = observed.set();
    if (set == null
        || !observed.observedStatus().isBusy()
        || set.isMarkedForDeletion()
        || DesiredRunners.of(set) == 0
        || isDemandWithoutItsJob(observed, set)) {
      return go;
    }
    var exit = observed.seenExit();
    var ended = exit == null ? observed.ownStatus().completionTime() : exit.at();
    if (ended == null || !ended.plus(Times.SETTLE).isAfter(observed.now())) {
      return go;
    }
    return RunnerDecision.at(ended.plus(Times.SETTLE))
        .by(observed.now().plus(BETWEEN_READS_OF_SET));
  }

  /** Whether the demand of the set is of a message that already counts the job as completed. */
  private static boolean isDemandWithoutItsJob(ObservedRunner observed, EphemeralRunnerSet set) {
    var completedIn = CompletedIn.of(observed.runner(), set.getSpec());
    return completedIn != null && completedIn <= set.settledUpTo();
  }

  /** Whether an ephemeral runner ended its job and took its registration along. */
  static boolean tookItsRegistrationAlong(ObservedRunner observed) {
    var exit = observed.seenExit();
    return exit != null && exit.exitCode() == 0 && observed.isJobCompleted();
  }

  static boolean isNothingLeft(ObservedRunner observed) {
    return observed.isRegistrationGone() || RunnerStatuses.isDeregistered(observed.ownStatus());
  }

  /**
   * What to do while the runner may have its job; empty if it has none. INVARIANT (I1): a job that
   * a message named counts more than a removal that we know of.
   */
  static Optional<RunnerDecision> heldByJob(ObservedRunner observed) {
    if (!observed.mayHaveJob()) {
      return Optional.empty();
    }
    var exit = observed.seenExit();
    if (exit == null) {
      var job = RunnerStatuses.job(observed.observedStatus());
      return mayPodRun(observed)
          ? Optional.of(
              RunnerDecision.now(
                      new RunnerAction.ReportWaiting(RunnerReason.JOB_RUNNING, job + " runs"))
                  .by(observed.now().plus(LONGEST_WAIT)))
          : Optional.empty();
    }
    // the status outlasts this process, which may have seen the exit only now
    var ended = Objects.requireNonNullElse(observed.ownStatus().completionTime(), exit.at());
    return Optional.of(ended.plus(settle(observed)))
        .filter(settledAt -> settledAt.isAfter(observed.now()))
        .map(RunnerDecision::at);
  }

  private static Duration settle(ObservedRunner observed) {
    return isAskedEarly(observed) ? EphemeralRunnerTimes.SETTLE_WITHOUT_SET : Times.SETTLE;
  }

  /** Whether its EphemeralRunnerSet is gone, or being deleted: nobody counts its job any more. */
  private static boolean isAskedEarly(ObservedRunner observed) {
    var set = observed.set();
    return !observed.isStandalone() && (set == null || set.isMarkedForDeletion());
  }

  /**
   * Whether the runner runs, or may start at any moment: then the service cannot be asked whether
   * it has a job (I1). A pod without a node does not start at any moment.
   */
  public static boolean mayRunnerRun(ObservedRunner observed) {
    return mayPodRun(observed)
        && observed.seenExit() == null
        && observed.pod() != null
        && observed.pod().nodeName() != null;
  }

  private static boolean mayPodRun(ObservedRunner observed) {
    return observed.pod() != null && !observed.pod().isOver();
  }
}
