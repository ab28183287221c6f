package dev.runnerset.controller.features.upgrade;

import dev.runnerset.controller.features.shield.ShieldReader;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import java.util.List;

/** Reports that kinds, programs or the admission policy are of different versions (UP3). */
public record UpgradeFeature(InstalledKinds kinds, ShieldReader shield) implements SetFeature {
  @Override
  public List<ConditionRule<RunnerSetFacts>> conditions() {
    return List.of(kinds.upgradeRequired(shield::outdatedFor));
  }
}
