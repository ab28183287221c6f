package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.CompletedIn;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.Labels;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The finalizer's questions, in their order (RN11): a resource goes only when no registration can
 * be left behind and no job can be lost with it. Pure.
 */
public final class FinalizerPlanner {
  /**
   * Without credentials for this long the finalizer gives up, unless the runner may have a job: it
   * must not block for ever.
   */
  public static final Duration LONGEST_WITHOUT_CREDENTIALS = Duration.ofSeconds(60);

  private static final Duration AT_LEAST_EVERY = Duration.ofMinutes(5);

  /** What the set's object says next is no event of the runner. */
  private static final Duration SOON = Duration.ofMillis(500);

  private FinalizerPlanner() {}

  /** What the finalizer does. */
  public sealed interface Decision {
    /** Nothing holds the resource. */
    record LetGo() implements Decision {}

    /**
     * The credentials are gone for too long, and no pod is known to run: a registration may be
     * left.
     */
    record GiveUp() implements Decision {}

    /** Ask once, and let go whatever the answer. */
    record AskAndLetGo() implements Decision {}

    /** Ask, and let go if it is removed. */
    record Ask() implements Decision {}

    /** Not now. */
    record Wait(Instant until) implements Decision {}
  }

  /** What the finalizer does. */
  public static Decision decide(ObservedRunner s) {
    var decision = registration(s);
    return decision instanceof Decision.LetGo ? onceReleased(s) : decision;
  }

  /**
   * Nothing is left at the service; but while its job still counts as demand the runner counts as
   * one, and must not vanish for another to be made in its place (LV7).
   */
  public static Decision onceReleased(ObservedRunner s) {
    var set = s.set();
    if (set == null
        || isForced(s)
        || !s.observedStatus().isBusy()
        || set.getMetadata().getDeletionTimestamp() != null
        || Integer.valueOf(0).equals(set.getSpec().replicas())
        || isWeighed(s, set.getSpec())) {
      return new Decision.LetGo();
    }
    var exit = exit(s);
    var ended = exit == null ? s.ownStatus().completionTime() : exit.at();
    if (ended == null || !ended.plus(ExitedRunnerPlanner.SETTLE).isAfter(s.now())) {
      return new Decision.LetGo();
    }
    var settled = ended.plus(ExitedRunnerPlanner.SETTLE);
    var soon = s.now().plus(SOON);
    return new Decision.Wait(settled.isBefore(soon) ? settled : soon);
  }

  private static boolean isWeighed(ObservedRunner s, EphemeralRunnerSetSpec set) {
    var completedIn = CompletedIn.of(s.runner(), set);
    return completedIn != null
        && set.demandMessageId() != null
        && completedIn <= set.demandMessageId();
  }

  /** What becomes of its registration. */
  public static Decision registration(ObservedRunner s) {
    var attempt = s.attempt();
    var nothingLeft = s.registrationGone() || Deregistration.isIn(s.ownStatus());
    if (isForced(s)) {
      return nothingLeft ? new Decision.LetGo() : new Decision.AskAndLetGo();
    }
    var exit = exit(s);
    if (exit != null && exit.exitCode() == 0 && s.isJobCompleted()) {
      return new Decision.LetGo(); // an ephemeral runner takes its registration with it
    }
    // INVARIANT (I1): a job that was heard of counts more than a removal that was
    if (s.observedStatus().isBusy() && !s.isJobCompleted()) {
      if (exit == null && podMayRun(s)) {
        return new Decision.Wait(s.now().plus(AT_LEAST_EVERY));
      }
      if (exit != null && exit.at().plus(ExitedRunnerPlanner.SETTLE).isAfter(s.now())) {
        return new Decision.Wait(exit.at().plus(ExitedRunnerPlanner.SETTLE));
      }
    }
    if (nothingLeft) {
      return new Decision.LetGo();
    }
    var lost = attempt.connectionLostSince();
    if (lost != null
        && !lost.plus(LONGEST_WITHOUT_CREDENTIALS).isAfter(s.now())
        && !isRunnerUp(s)) {
      return new Decision.GiveUp();
    }
    var again = RemovalWait.until(s.observedStatus(), attempt);
    return again.isAfter(s.now()) ? wait(s, again) : new Decision.Ask();
  }

  private static Decision wait(ObservedRunner s, Instant until) {
    var most = s.now().plus(AT_LEAST_EVERY);
    return new Decision.Wait(until.isAfter(most) ? most : until);
  }

  private static boolean isForced(ObservedRunner s) {
    var annotations = s.runner().getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(Labels.FORCE_DELETE));
  }

  /**
   * Whether the runner runs, or may start at any time: then it may have a job that nobody can ask
   * for (I1). A pod without a node does not start so fast.
   */
  public static boolean isRunnerUp(ObservedRunner s) {
    return podMayRun(s) && exit(s) == null && s.pod() != null && s.pod().nodeName() != null;
  }

  private static boolean podMayRun(ObservedRunner s) {
    return s.pod() != null && !s.pod().isOver();
  }

  /** How its container ended, as far as is known. */
  public static @Nullable RunnerExit exit(ObservedRunner s) {
    var pod = s.pod();
    return pod != null && pod.runner() instanceof RunnerContainer.Terminated ended
        ? ExitedRunnerPlanner.Seen.of(s, ended).exit()
        : s.knownExit();
  }
}
