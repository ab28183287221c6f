package dev.runnerset.controller.hooks;

import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.List;

/** The runner sets as the caches have them. */
public interface SweptSets {
  /**
   * One of them.
   *
   * @param listening whether its listener says {@code Connected=True} with its present connection
   * @param failing whether new runners fail: then an old runner would not be replaced
   */
  record SweptSet(AutoScalingRunnerSet set, boolean listening, boolean failing) {}

  /** All sets. */
  List<SweptSet> all();
}
