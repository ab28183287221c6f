package dev.runnerset.controller.autoscalingrunnerset.status;

import org.jspecify.annotations.Nullable;

/**
 * What the conditions of a set tell of age collection.
 *
 * @param refused why the set's own maximum age cannot be followed, or null
 * @param collected runners collected for their age since the last job
 * @param thrashing whether those are too many
 */
public record AgeView(@Nullable Finding refused, int collected, boolean thrashing) {
  public static final AgeView NONE = new AgeView(null, 0, false);

  public static String thrashing(int collected) {
    return collected
        + " runners were collected for their age since the last job: raise"
        + " spec.garbageCollection.maximumIdleAge or --runner-maximum-gc-age, lower spec.minRunners,"
        + " or write afterwards: Release";
  }
}
