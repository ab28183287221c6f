package dev.runnerset.controller.features.rerun;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Rerun;
import dev.runnerset.crds.Rerun.Cause;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which lost jobs of a set run again (RR1).
 *
 * @param causes by which a job may have been lost
 * @param budget how many attempts beyond the first a run may have
 * @param withOthers whether jobs that failed by themselves may run again, too
 */
@Pure
record RerunPolicy(Set<Cause> causes, int budget, boolean withOthers) {
  private static final Set<Cause> USUAL =
      EnumSet.complementOf(EnumSet.of(Cause.OUT_OF_MEMORY)); // another try needs as much

  /** Empty if none runs again. */
  static Optional<RerunPolicy> of(AutoScalingRunnerSet set) {
    return Optional.ofNullable(set.getSpec().rerun())
        .filter(rerun -> Boolean.TRUE.equals(rerun.lostJobs()))
        .map(rerun ->
            new RerunPolicy(
                rerun.causes().isEmpty() ? USUAL : EnumSet.copyOf(rerun.causes()),
                Objects.requireNonNullElse(rerun.budget(), Rerun.BUDGET),
                Boolean.TRUE.equals(rerun.withOthers())));
  }

  /** Whether a job that was lost by that cause runs again, as {@code node_down}. */
  boolean takes(String cause) {
    return causes.stream().anyMatch(each -> each.name().equalsIgnoreCase(cause));
  }
}
