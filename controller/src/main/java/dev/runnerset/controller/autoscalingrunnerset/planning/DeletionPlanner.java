package dev.runnerset.controller.autoscalingrunnerset.planning;

import java.time.Duration;

/**
 * The next step in the deletion of a runner set (DL1): take no more jobs, then remove its runners,
 * its listener, its EphemeralRunnerSet, its scale set.
 */
public final class DeletionPlanner {
  /**
   * What is left of a runner set.
   *
   * @param ephemeralRunnerSet whether its EphemeralRunnerSet exists
   * @param stopped whether capacity and replicas are 0
   * @param seen whether the reconciler of the EphemeralRunnerSet has seen that: until then it may
   *     create more runners
   * @param listener whether its listener object exists
   * @param unfinishedRunners runners that are not in a terminal phase
   * @param busyRunners those of them that are known to have a job
   * @param runners all its runners
   * @param held why some of them cannot go yet; empty if that is not known
   */
  public record Left(
      boolean ephemeralRunnerSet,
      boolean stopped,
      boolean seen,
      boolean listener,
      int unfinishedRunners,
      int busyRunners,
      int runners,
      String held) {}

  /** One step; the next pass decides again. */
  public enum Step {
    /** Sets capacity and replicas to 0. */
    STOP_OFFERING("the set takes no more jobs"),
    /** Waits for the removal of the runners; a runner with a job stays until its job is over. */
    AWAIT_RUNNERS(""),
    /** Waits until the reconciler of the EphemeralRunnerSet has seen that no runner is wanted. */
    AWAIT_SEEN("waiting until no more runners are created"),
    /** Deletes the listener object, which ends the session. */
    END_LISTENING("waiting for the listener to end its session"),
    /** Deletes the EphemeralRunnerSet with the finished runners that it kept. */
    DELETE_EPHEMERAL_RUNNER_SET("waiting until the finished runners are deleted"),
    /** Deletes the scale set, then permissions and finalizers. */
    FINISH("deleting the scale set");

    private final String sentence;

    Step(String sentence) {
      this.sentence = sentence;
    }

    /** What the deletion does or waits for, for the user. */
    public String sentence(Left left) {
      int count = left.unfinishedRunners();
      int busy = left.busyRunners();
      return this != AWAIT_RUNNERS
          ? sentence + (this == DELETE_EPHEMERAL_RUNNER_SET ? left.held() : "")
          : "waiting for "
              + count
              + (count == 1 ? " runner" : " runners")
              + (busy == 0 ? "" : ", " + busy + " with a job")
              + ": a runner with a job is removed when its job is over"
              + left.held();
    }
  }

  private DeletionPlanner() {}

  /**
   * Whether a set goes although no role lets the controller delete what is in its namespace: a set
   * that never got its rights could not go otherwise, nor could its namespace.
   *
   * @param madeNothing whether the set never had a scale set: only then are objects made for it
   * @param refused since when it is refused
   */
  public static boolean goesWithoutRights(boolean madeNothing, Duration refused) {
    return madeNothing || refused.compareTo(DeletionTimes.LONGEST_REFUSED) >= 0;
  }

  public static Step next(Left left) {
    if (!left.stopped()) {
      return Step.STOP_OFFERING;
    }
    if (left.unfinishedRunners() > 0) {
      return Step.AWAIT_RUNNERS;
    }
    if (!left.seen()) {
      return Step.AWAIT_SEEN;
    }
    if (left.listener()) {
      return Step.END_LISTENING;
    }
    return left.ephemeralRunnerSet() || left.runners() > 0
        ? Step.DELETE_EPHEMERAL_RUNNER_SET
        : Step.FINISH;
  }
}
