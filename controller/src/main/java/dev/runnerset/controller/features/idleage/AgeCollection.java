package dev.runnerset.controller.features.idleage;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.GarbageCollection;

/** What the operator and the sets say of age collection. */
@Pure
public record AgeCollection(FeatureGates gates, AgeCollectionSettings settings) {
  /** How old an idle runner of the set may become. */
  public AgeLimit limit(AutoScalingRunnerSet set) {
    return AgeLimit.of(gates, settings, set.getSpec().garbageCollection());
  }

  /** Whether the places of collected runners stay empty until the next job. */
  public static boolean isReleasing(AutoScalingRunnerSet set) {
    var block = set.getSpec().garbageCollection();
    return block != null && block.afterwards() == GarbageCollection.Afterwards.RELEASE;
  }
}
