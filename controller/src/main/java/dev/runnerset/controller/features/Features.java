package dev.runnerset.controller.features;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.features.history.HistoryField;
import dev.runnerset.controller.features.history.HistoryPolicy;
import dev.runnerset.controller.features.idleage.AgeFeature;
import dev.runnerset.controller.features.lifetime.LifetimeRule;
import dev.runnerset.controller.features.places.CapacityFeature;
import dev.runnerset.controller.features.references.ReferenceLists;
import dev.runnerset.controller.features.retention.RetentionRefused;
import dev.runnerset.controller.features.rollout.Rollout;
import dev.runnerset.controller.features.runnerversion.RunnerVersionFeature;
import dev.runnerset.controller.features.schedule.Schedules;
import dev.runnerset.controller.features.shield.ShieldFeature;
import dev.runnerset.controller.features.shield.ShieldReader;
import dev.runnerset.controller.features.upgrade.InstalledKinds;
import dev.runnerset.controller.features.upgrade.UpgradeFeature;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.removal.CoreRule;
import java.util.List;

/** The features of runner sets: the one place that lists them. */
public final class Features {
  private final InstalledKinds kinds;
  private final ShieldReader shieldReader;
  private final SetFeatures hooks;

  /**
   * The features that read something of their own: the cluster, caches, the service.
   *
   * @param kinds of the cluster, against ours
   */
  public record Readers(
      ShieldFeature shield,
      AgeFeature ages,
      ReferenceLists references,
      InstalledKinds kinds,
      RunnerVersionFeature versions,
      CapacityFeature capacity) {}

  /** The features of one controller. */
  public Features(Readers readers, Meters meters, Clocks clocks) {
    kinds = readers.kinds();
    shieldReader = readers.shield().reader();
    hooks =
        new SetFeatures(
            List.of(
                SetFeature.of(CoreRule.SURPLUS), // SD1 to SD4: more runners are live than wanted
                readers.shield(), // SD10: a drain waits for them
                SetFeature.of(CoreRule.RETIRED), // SD10: a person waits for them
                new Rollout(), // RV2: only while no runner is too many
                SetFeature.of(new LifetimeRule()), // RN22: before their pod has little time left
                readers.ages(), // AC2: in a sweep, within its bound
                SetFeature.of(CoreRule.FORMER_SCALE_SET), // no job comes to them
                SetFeature.of(CoreRule.EXIT_OVERDUE), // they count as nothing
                new RetentionRefused(),
                new Schedules(clocks.ofSchedules(), clocks.now()),
                new UpgradeFeature(kinds, shieldReader),
                readers.versions(),
                readers.capacity(),
                // after the rollout: its counts end with the list
                readers.references(),
                new HistoryField(HistoryPolicy.DEFAULT, meters)));
  }

  /** What the reconcilers of sets call. */
  public SetFeatures hooks() {
    return hooks;
  }

  /** What the shield of running jobs lacks; a watch reports to it whether nodes are seen. */
  public ShieldReader shield() {
    return shieldReader;
  }

  /**
   * Compares the kinds of the cluster with ours, and reads what the shield lacks, as far as that is
   * due; blocks for requests.
   *
   * @return whether the status of sets may change by it
   */
  public boolean compareWithCluster() {
    boolean changed = kinds.compare();
    return shieldReader.check() || changed;
  }
}
