package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import org.jspecify.annotations.Nullable;

/**
 * What a runner that is being deleted tells while its pod runs and nobody can ask the service
 * whether it has a job. Pure.
 */
public final class RemovalBlock {
  private RemovalBlock() {}

  /**
   * The status to write, or null where it says so already.
   *
   * @param missing what there is no connection for; null if there is one
   */
  public static @Nullable EphemeralRunnerStatus told(
      ObservedRunner s, @Nullable InvalidConnectionException missing) {
    var before = s.ownStatus().conditions();
    if (missing == null || !FinalizerPlanner.isRunnerUp(s)) {
      return StatusConditions.find(before, ConditionType.REMOVABLE).isPresent()
          ? RunnerStatuses.ourPartOf(
              s.ownStatus(), StatusConditions.without(before, ConditionType.REMOVABLE))
          : null;
    }
    var trouble =
        new StartProblem(ConditionType.REMOVABLE, missing.reason(), message(missing), s.now());
    return RunnerConditions.tell(before, trouble)
        ? null
        : RunnerStatuses.ourPartOf(
            s.ownStatus(),
            RunnerConditions.with(
                before,
                RunnerConditions.of(
                    ConditionType.REMOVABLE,
                    Value.FALSE,
                    missing.reason(),
                    message(missing),
                    s.now())));
  }

  public static String message(InvalidConnectionException missing) {
    return "the runner's pod runs, and the service cannot be asked whether it has a job: "
        + missing.getMessage()
        + ". The deletion goes on once that is repaired or the pod has ended; the annotation "
        + Labels.FORCE_DELETE
        + ": \"true\" ends it now, with its job";
  }
}
