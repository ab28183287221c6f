package dev.runnerset.controller.autoscalingrunnerset.planning;

/**
 * What comes next in the deletion of a set (DL1): no more offers, its runners, its listener, its
 * EphemeralRunnerSet, its scale set. Pure.
 */
public final class DeletionPlanner {
  /**
   * What is left of a set.
   *
   * @param ephemeralRunnerSet whether its EphemeralRunnerSet is there
   * @param stopped whether neither offers nor idle runners are asked for any more
   * @param seen whether the reconciler of the runners has seen that: until then more runners may be
   *     on their way
   * @param listener whether its listener object is there
   * @param unfinishedRunners runners that are not in a terminal phase
   * @param runners all its runners
   */
  public record Left(
      boolean ephemeralRunnerSet,
      boolean stopped,
      boolean seen,
      boolean listener,
      int unfinishedRunners,
      int runners) {}

  /** One step; what is not done yet is looked at again. */
  public sealed interface Step {
    /** What the step does or waits for. */
    String sentence();

    /** Capacity 0 and replicas 0. */
    record StopOffering() implements Step {
      @Override
      public String sentence() {
        return "no more jobs are taken";
      }
    }

    /** The runners go by the removal path, those with a job when it is over. */
    record AwaitRunners(int count) implements Step {
      @Override
      public String sentence() {
        return "waiting for " + count + " runners: those with a job go when it is over";
      }
    }

    /** The reconciler of the runners may be making more, until it has seen that none are wanted. */
    record AwaitSeen() implements Step {
      @Override
      public String sentence() {
        return "waiting until no runner is being made any more";
      }
    }

    /** The session ends. */
    record EndListening() implements Step {
      @Override
      public String sentence() {
        return "waiting for the listener to end its session";
      }
    }

    /** The EphemeralRunnerSet goes, and what finished runners it kept. */
    record DeleteEphemeralRunnerSet() implements Step {
      @Override
      public String sentence() {
        return "waiting for finished runners to go";
      }
    }

    /** Scale set, permissions, credentials. */
    record Finish() implements Step {
      @Override
      public String sentence() {
        return "deleting the scale set";
      }
    }
  }

  private DeletionPlanner() {}

  public static Step next(Left left) {
    if (!left.stopped()) {
      return new Step.StopOffering();
    }
    if (left.unfinishedRunners() > 0) {
      return new Step.AwaitRunners(left.unfinishedRunners());
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
