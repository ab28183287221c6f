package dev.runnerset.controller.features.places;

import dev.runnerset.controller.autoscalingrunnerset.planning.Revision;
import dev.runnerset.controller.features.capacity.JobCost;
import dev.runnerset.controller.features.capacity.Waits;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.CapacitySettings;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.PlacementStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The set whose places are asked for, and when. */
record Asked(
    AutoScalingRunnerSet set,
    @Nullable EphemeralRunnerSet runners,
    CapacitySettings settings,
    int maxRunners,
    Instant now) {
  SetKey key() {
    return SetKey.of(set);
  }

  /** What was stored before this process began; null for no limit. */
  @Nullable Integer stored() {
    return runners == null ? null : runners.getSpec().places();
  }

  @Nullable Integer storedStarts() {
    return runners == null ? null : runners.getSpec().startable();
  }

  boolean storedStay() {
    return runners != null && Boolean.TRUE.equals(runners.getSpec().idleStay());
  }

  @Nullable PlacementStatus storedPlacement() {
    var capacity = set.statusOrNone().capacity();
    return capacity == null ? null : capacity.placement();
  }

  String revision() {
    return runners == null ? Revision.of(set.getSpec()) : runners.getSpec().revision();
  }

  /** What there would be runners for, by the jobs that are known. */
  Waits waits() {
    var demand = runners == null ? null : runners.knownDemand();
    int idle = runners == null ? 0 : Objects.requireNonNullElse(runners.getSpec().replicas(), 0);
    int available = demand == null ? 0 : Objects.requireNonNullElse(demand.available(), 0);
    return new Waits(idle + (runners == null ? 0 : runners.assigned()), available, jobs());
  }

  /** Sets with the same labels get the same jobs. */
  private String jobs() {
    var spec = set.getSpec();
    var labels = spec.labels().isEmpty() ? List.of(key().name()) : spec.labels();
    return spec.githubConfigUrl() + labels.stream().sorted().toList();
  }

  JobCost job() {
    var size = settings.perJob();
    if (size == null) {
      return JobCost.NONE;
    }
    var resources = new HashMap<String, Quantity>();
    size.resources().forEach((name, amount) -> resources.put(name, new Quantity(amount)));
    return new JobCost(resources, Objects.requireNonNullElse(size.pods(), 0));
  }
}
