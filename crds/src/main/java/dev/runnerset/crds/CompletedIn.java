package dev.runnerset.crds;

import org.jspecify.annotations.Nullable;

/**
 * The message that reported the end of a runner's job, in the ids that its set compares with. Ids
 * of messages count within one scale set: a new scale set begins again.
 */
public final class CompletedIn {
  private static final long BEFORE_ALL = 0;

  private CompletedIn() {}

  /**
   * The id, or null while no end was heard. A job of another scale set is no demand of this one, so
   * its end comes before all messages.
   */
  public static @Nullable Long of(EphemeralRunner runner, EphemeralRunnerSetSpec set) {
    var job = runner.statusOrNone().job();
    if (job == null || job.completedIn() == null) {
      return null;
    }
    return runner.getSpec().runnerScaleSetId().equals(set.runnerScaleSetId())
        ? job.completedIn()
        : Long.valueOf(BEFORE_ALL);
  }
}
