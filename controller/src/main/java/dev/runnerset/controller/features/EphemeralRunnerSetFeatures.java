package dev.runnerset.controller.features;

import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.features.idleage.IdleAge;
import dev.runnerset.controller.features.references.RunnerChildren;
import dev.runnerset.controller.features.rollout.Rollout;
import dev.runnerset.controller.features.shield.CordonedNodeRule;
import dev.runnerset.controller.features.shield.CordonedNodes;
import dev.runnerset.controller.features.shield.DrainCondition;
import dev.runnerset.controller.features.shield.Shields;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.removal.CoreRule;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The features of EphemeralRunnerSets. */
public final class EphemeralRunnerSetFeatures {
  private EphemeralRunnerSetFeatures() {}

  /**
   * All of them, in their order.
   *
   * @param patchesTake how long a patch takes at present
   */
  public static SetFeatures inOrder(
      EmbeddedStatus embedded,
      Supplier<Duration> patchesTake,
      IdleAge idleAge,
      Shields shields,
      CordonedNodes cordoned) {
    var rollout = new Rollout();
    return new SetFeatures(
        List.of(
            CoreRule.SURPLUS, // SD1 to SD4: more runners are live than wanted
            new CordonedNodeRule(), // SD10: a drain waits for them
            CoreRule.RETIRED, // SD10: a person waits for them
            rollout, // RV2: only while no runner is too many
            idleAge, // AC2: only in a sweep, within its bound
            CoreRule.FORMER_SCALE_SET, // no job comes to them, and they count as nothing
            CoreRule.EXIT_OVERDUE), // they count as nothing
        List.of(idleAge::follow, shields::follow),
        List.of( // a rollout ends with its list
            rollout, idleAge, new RunnerChildren(embedded, patchesTake)),
        List.of(DrainCondition.RULE, RunnerChildren.TRUNCATED),
        cordoned);
  }
}
