package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.references.ChildReferences;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.crds.AdvertisedCapacity;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.ChildReference;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the status of a runner set repeats of its children. */
public final class RunnerSetStatus {
  private RunnerSetStatus() {}

  /** References to the children that exist, unless references are off (RF1, RF5). */
  public static List<ChildReference> children(
      @Nullable EphemeralRunnerSet ers,
      @Nullable AutoScalingListener listener,
      EmbeddedStatus embedded) {
    return embedded.hasReferences()
        ? ChildReferences.of(Stream.of(ers, listener).flatMap(Stream::ofNullable).toList()).list()
        : List.of();
  }

  /** The service's counts; null while it has told none. */
  public static @Nullable JobCounts jobs(@Nullable EphemeralRunnerSet ers) {
    var demand = ers == null ? null : ers.statusOrNone().demand();
    return demand == null || demand.assigned() == null
        ? null
        : JobCounts.of(demand.assigned(), demand.running(), demand.available());
  }

  /** The runners' counts, with the number that is wanted now; null without EphemeralRunnerSet. */
  public static @Nullable RunnerCounts runners(@Nullable EphemeralRunnerSet ers, int desired) {
    if (ers == null) {
      return null;
    }
    var counts = ers.statusOrNone().runners();
    return counts == null
        ? new RunnerCounts(desired, 0, 0, 0, 0, 0, 0)
        : new RunnerCounts(
            desired,
            counts.live(),
            counts.pending(),
            counts.idle(),
            counts.busy(),
            counts.finished(),
            counts.stuck());
  }

  /** How many jobs are taken. */
  public static AdvertisedCapacity capacity(CapacityPlan plan) {
    var limit = plan.limitedBy();
    return new AdvertisedCapacity(plan.advertised(), limit == null ? null : limit.reason().word());
  }
}
