package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.CompletedIn;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the finalizer of a deleted runner may be removed (RN11): only when no registration can be
 * left behind, and no job can be lost.
 */
public final class FinalizerPlanner {
  /**
   * After this long without credentials the finalizer is removed all the same, unless the runner
   * may have a job: it must not block for ever.
   */
  static final Duration LONGEST_WITHOUT_CREDENTIALS = Duration.ofSeconds(60);

  /** The finalizer of an object whose dependents are deleted first. */
  private static final String FOREGROUND = "foregroundDeletion";

  /**
   * How long a completion is awaited without the EphemeralRunnerSet. In a namespace that is being
   * deleted it goes first, as does the role by which the listener would tell of the completion.
   */
  static final Duration SETTLE_WITHOUT_SET = Duration.ofMillis(500);

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

  /** A change of the EphemeralRunnerSet is no event of the runner. */
  private static final Duration BETWEEN_READS_OF_SET = Duration.ofMillis(500);

  private FinalizerPlanner() {}

  /** What to do about the finalizer now. */
  public sealed interface Decision {
    /** Remove it: nothing holds the resource. */
    record RemoveFinalizer() implements Decision {}

    /**
     * There have been no credentials for too long, and no pod is known to run: remove it, although
     * a registration may be left.
     */
    record GiveUpRemoval() implements Decision {}

    /** Ask the service once to remove the registration; remove the finalizer after any answer. */
    record RequestRemovalOnce() implements Decision {}

    /** Ask the service to remove the registration; remove the finalizer if it does. */
    record RequestRemoval() implements Decision {}

    /** Decide again then. */
    record Wait(Instant until) implements Decision {}

    /** The runner has a job: decide again then. */
    record AwaitJob(Instant until) implements Decision {}
  }

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
    return finalizers != null && finalizers.contains(FOREGROUND)
        ? PodDeletion.ALWAYS
        : pod.isOver() ? PodDeletion.NONE : PodDeletion.UNLESS_OVER;
  }

  /** What to do about the finalizer of a runner that is being deleted. */
  public static Decision decide(ObservedRunner observed) {
    var decision = registration(observed);
    return decision instanceof Decision.RemoveFinalizer ? onceDeregistered(observed) : decision;
  }

  /**
   * What to do once nothing is left at the service. While the demand still counts the runner's job,
   * the runner counts as satisfying it: were it gone, another would be made in its place (LV7).
   */
  public static Decision onceDeregistered(ObservedRunner observed) {
    var set = observed.set();
    if (set == null
        || isForced(observed)
        || !observed.observedStatus().isBusy()
        || set.getMetadata().getDeletionTimestamp() != null
        || Integer.valueOf(0).equals(set.getSpec().replicas())
        || isDemandWithoutItsJob(observed, set.getSpec())) {
      return new Decision.RemoveFinalizer();
    }
    var exit = exit(observed);
    var ended = exit == null ? observed.ownStatus().completionTime() : exit.at();
    if (ended == null || !ended.plus(Times.SETTLE).isAfter(observed.now())) {
      return new Decision.RemoveFinalizer();
    }
    var settledAt = ended.plus(Times.SETTLE);
    var soon = observed.now().plus(BETWEEN_READS_OF_SET);
    return new Decision.Wait(RequeueTime.earlier(settledAt, soon));
  }

  /** Whether the demand of the set is of a message that already counts the job as completed. */
  private static boolean isDemandWithoutItsJob(
      ObservedRunner observed, EphemeralRunnerSetSpec set) {
    var completedIn = CompletedIn.of(observed.runner(), set);
    return completedIn != null
        && set.demandMessageId() != null
        && completedIn <= set.demandMessageId();
  }

  /** What to do about the registration of a runner that has ended or is being deleted. */
  static Decision registration(ObservedRunner observed) {
    var removal = observed.memory().removal();
    var nothingLeft =
        observed.isRegistrationGone() || RunnerStatuses.isDeregistered(observed.ownStatus());
    if (isForced(observed)) {
      return nothingLeft ? new Decision.RemoveFinalizer() : new Decision.RequestRemovalOnce();
    }
    var exit = exit(observed);
    if (exit != null && exit.exitCode() == 0 && observed.isJobCompleted()) {
      // an ephemeral runner takes its registration along
      return new Decision.RemoveFinalizer();
    }
    // INVARIANT (I1): a job that a message named counts more than a removal that we know of
    if (observed.observedStatus().isBusy() && !observed.isJobCompleted()) {
      if (exit == null && mayPodRun(observed)) {
        return new Decision.AwaitJob(observed.now().plus(LONGEST_WAIT));
      }
      if (exit != null && exit.at().plus(settle(observed)).isAfter(observed.now())) {
        return new Decision.Wait(exit.at().plus(settle(observed)));
      }
    }
    if (nothingLeft) {
      return new Decision.RemoveFinalizer();
    }
    var lost = removal.connectionLostSince();
    if (lost != null
        && !lost.plus(LONGEST_WITHOUT_CREDENTIALS).isAfter(observed.now())
        && !mayRunnerRun(observed)) {
      return new Decision.GiveUpRemoval();
    }
    var again =
        exit != null
            ? removal.nextRequestAfterOneRefusal(observed.observedStatus())
            : removal.nextRequestAt(observed.observedStatus());
    return again.isAfter(observed.now()) ? wait(observed, again) : new Decision.RequestRemoval();
  }

  private static Duration settle(ObservedRunner observed) {
    return isAskedEarly(observed) ? SETTLE_WITHOUT_SET : Times.SETTLE;
  }

  /** Whether its EphemeralRunnerSet is gone, or being deleted: nobody counts its job any more. */
  private static boolean isAskedEarly(ObservedRunner observed) {
    var set = observed.set();
    return !observed.isStandalone()
        && (set == null || set.getMetadata().getDeletionTimestamp() != null);
  }

  private static Decision wait(ObservedRunner observed, Instant until) {
    return new Decision.Wait(RequeueTime.earlier(until, observed.now().plus(LONGEST_WAIT)));
  }

  private static boolean isForced(ObservedRunner observed) {
    return ForcedDeletion.isOf(observed.runner());
  }

  /**
   * Whether the runner runs, or may start at any moment: then the service cannot be asked whether
   * it has a job (I1). A pod without a node does not start at any moment.
   */
  public static boolean mayRunnerRun(ObservedRunner observed) {
    return mayPodRun(observed)
        && exit(observed) == null
        && observed.pod() != null
        && observed.pod().nodeName() != null;
  }

  private static boolean mayPodRun(ObservedRunner observed) {
    return observed.pod() != null && !observed.pod().isOver();
  }

  /** How the container ended; null while it runs or nothing is known. */
  public static @Nullable RunnerExit exit(ObservedRunner observed) {
    var pod = observed.pod();
    return pod != null && pod.runner() instanceof RunnerContainer.Terminated ended
        ? ExitedRunnerPlanner.Exit.of(observed, ended).seen()
        : observed.knownExit();
  }
}
