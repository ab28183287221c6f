package dev.runnerset.controller.features;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.config.Places;
import dev.runnerset.controller.features.history.HistoryField;
import dev.runnerset.controller.features.history.HistoryPolicy;
import dev.runnerset.controller.features.idleage.AgeCollection;
import dev.runnerset.controller.features.idleage.AgeReport;
import dev.runnerset.controller.features.references.SetChildren;
import dev.runnerset.controller.features.retention.RetentionRefused;
import dev.runnerset.controller.features.rollout.RolloutStall;
import dev.runnerset.controller.features.schedule.Schedules;
import dev.runnerset.controller.features.shield.ShieldReader;
import dev.runnerset.controller.features.upgrade.InstalledKinds;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.RunnerSetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.kube.KubeApi;
import java.util.ArrayList;
import java.util.List;

/** The features of a runner set, in the order of their conditions in its status. */
public final class AutoScalingRunnerSetFeatures {
  private final InstalledKinds kinds;
  private final ShieldReader shield;
  private final RunnerSetFeatures hooks;

  /**
   * The features of one controller.
   *
   * @param ages which idle runners are removed for their age
   */
  public AutoScalingRunnerSetFeatures(
      Places places,
      EmbeddedStatus embedded,
      KubeApi kube,
      AgeCollection ages,
      Meters meters,
      Memories memories,
      Clocks clocks) {
    kinds = new InstalledKinds(kube, memories, clocks.now());
    shield = new ShieldReader(kube, places, clocks.now());
    var schedules = new Schedules(clocks.ofSchedules(), clocks.now());
    var age = new AgeReport(ages);
    var conditions = new ArrayList<ConditionRule<RunnerSetFacts>>();
    conditions.add(RetentionRefused.RULE);
    conditions.add(schedules.invalid());
    conditions.add(shield.incomplete());
    conditions.add(kinds.upgradeRequired(shield::outdatedFor));
    conditions.add(RolloutStall.CONDITION);
    conditions.addAll(age.conditions());
    hooks =
        new RunnerSetFeatures(
            set -> schedules.limits(set.getSpec()),
            conditions,
            List.of(
                schedules,
                age,
                new SetChildren(embedded),
                new HistoryField(HistoryPolicy.DEFAULT, meters)));
  }

  /** What the reconciler of runner sets calls. */
  public RunnerSetFeatures hooks() {
    return hooks;
  }

  /** What the shield of running jobs lacks; a watch tells it whether nodes are seen. */
  public ShieldReader shield() {
    return shield;
  }

  /**
   * Compares the kinds of the cluster with ours, and reads what the shield lacks, as far as that is
   * due; blocks for requests.
   *
   * @return whether what the sets say may have changed
   */
  public boolean compareWithCluster() {
    boolean changed = kinds.compare();
    return shield.check() || changed;
  }
}
