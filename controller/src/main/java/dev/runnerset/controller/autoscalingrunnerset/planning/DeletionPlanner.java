package dev.runnerset.controller.autoscalingrunnerset.planning;

import java.time.Duration;

/**
 * The next step in the deletion of a runner set (DL1): take no more jobs, then remove its runners,
 * its listener, its EphemeralRunnerSet, its scale set.
 */
public final class DeletionPlanner {
  /** How long the last step is tried that no role allows, before it is left out. */
  public static final Duration LONGEST_REFUSED = Duration.ofMinutes(5);

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
   */
  public record Left(
      boolean ephemeralRunnerSet,
      boolean stopped,
      boolean seen,
      boolean listener,
      int unfinishedRunners,
      int busyRunners,
      int runners) {}

  /** One step; the next pass decides again. */
  public sealed interface Step {
    /** What the deletion does or waits for, for the user. */
    String sentence();

    /** Sets capacity and replicas to 0. */
    record StopOffering() implements Step {
      @Override
      public String sentence() {
        return "the set takes no more jobs";
      }
    }

    /** Waits for the removal of the runners; a runner with a job stays until its job is over. */
    record AwaitRunners(int count, int busy) implements Step {
      @Override
      public String sentence() {
        return "waiting for "
            + count
            + (count == 1 ? " runner" : " runners")
            + (busy == 0 ? "" : ", " + busy + " with a job")
            + ": a runner with a job is removed when its job is over";
      }
    }

    /** Waits until the reconciler of the EphemeralRunnerSet has seen that no runner is wanted. */
    record AwaitSeen() implements Step {
      @Override
      public String sentence() {
        return "waiting until no more runners are created";
      }
    }

    /** Deletes the listener object, which ends the session. */
    record EndListening() implements Step {
      @Override
      public String sentence() {
        return "waiting for the listener to end its session";
      }
    }

    /** Deletes the EphemeralRunnerSet with the finished runners that it kept. */
    record DeleteEphemeralRunnerSet() implements Step {
      @Override
      public String sentence() {
        return "waiting until the finished runners are deleted";
      }
    }

    /** Deletes the scale set, then permissions and finalizers. */
    record Finish() implements Step {
      @Override
      public String sentence() {
        return "deleting the scale set";
      }
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
    return madeNothing || refused.compareTo(LONGEST_REFUSED) >= 0;
  }

  public static Step next(Left left) {
    if (!left.stopped()) {
      return new Step.StopOffering();
    }
    if (left.unfinishedRunners() > 0) {
      return new Step.AwaitRunners(left.unfinishedRunners(), left.busyRunners());
    }
    if (!left.seen()) {
      return new Step.AwaitSeen();
    }
    if (left.listener()) {
      return new Step.EndListening();
    }
    if (left.ephemeralRunnerSet() || left.runners() > 0) {
      return new Step.DeleteEphemeralRunnerSet();
    }
    return new Step.Finish();
  }
}
