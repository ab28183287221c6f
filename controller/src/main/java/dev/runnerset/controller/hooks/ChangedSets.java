package dev.runnerset.controller.hooks;

import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.function.BiConsumer;

/** Where a feature changes what it remembers of a set, beside the passes. */
@FunctionalInterface
public interface ChangedSets {
  /**
   * Calls that for a set of the cache, and triggers a pass over it; no call for a set that is gone.
   */
  void change(SetKey set, BiConsumer<EphemeralRunnerSet, Slots> change);
}
