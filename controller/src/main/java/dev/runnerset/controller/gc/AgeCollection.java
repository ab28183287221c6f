package dev.runnerset.controller.gc;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.GarbageCollection;

/**
 * What the parts of age collection share: the settings of the operator, and what the sweeps tell
 * the reconcilers.
 */
public record AgeCollection(
    FeatureGates gates, AgeCollectionSettings settings, CollectionLedger ledger) {
  /** With an empty ledger. */
  public static AgeCollection of(FeatureGates gates, AgeCollectionSettings settings) {
    return new AgeCollection(gates, settings, new CollectionLedger());
  }

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
