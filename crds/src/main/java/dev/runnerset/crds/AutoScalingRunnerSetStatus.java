package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the set reconciler observed of a set. */
@EmptyIsAbsent
@WithBuilder
public record AutoScalingRunnerSetStatus(
    @JsonPropertyDescription("the generation of the spec that this status is of")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("id of the scale set at the service") @Nullable Integer scaleSetId,
    @JsonPropertyDescription("id of its runner group") @Nullable Integer runnerGroupId,
    @JsonPropertyDescription("who made the scale set, and which one is being made")
        @Nullable ScaleSetProvenance scaleSet,
    @JsonPropertyDescription("hash of what makes a runner pod now") @Nullable String revision,
    @JsonPropertyDescription("whether jobs get runners; if not, why, and what to change")
        List<Condition> conditions,
    @JsonPropertyDescription("jobs as the service counts them") @Nullable JobCounts jobs,
    @JsonPropertyDescription("runners, wanted and present") @Nullable RunnerCounts runners,
    @JsonPropertyDescription("how many jobs are taken at a time")
        @Nullable AdvertisedCapacity capacity,
    @JsonPropertyDescription("what spec.schedule makes of the limits")
        @Nullable ScheduleStatus schedule,
    @JsonPropertyDescription(ChildReference.LIST) List<ChildReference> childReferences,
    @JsonPropertyDescription("places of minRunners that stay empty until the next job is assigned")
        @Nullable Integer releasedIdle,
    @JsonPropertyDescription("runners collected for their age since the last job started")
        @Nullable IdleCollections idleCollections,
    @JsonPropertyDescription(
            "rollouts, newest first, at most 100; entries in between may have been pruned")
        @Size(max = 100)
        List<HistoryEntry> history,
    @JsonPropertyDescription("the version of the runners, and until when GitHub serves it")
        @Nullable RunnerVersionStatus runnerVersion,
    @JsonPropertyDescription("lost jobs that are to run again, by the name of their runner")
        Map<String, LostJob> lostJobs,
    @JsonPropertyDescription(
            "the controller that the set belongs to, by the namespace and name of its lease")
        @Nullable String controller) {

  /** Nothing observed yet. */
  public static final AutoScalingRunnerSetStatus NONE =
      AutoScalingRunnerSetStatusBuilder.builder().build();

  /** Absent lists and maps are empty, so that equality survives a round trip. */
  public AutoScalingRunnerSetStatus {
    conditions = StatusConditions.stored(conditions);
    childReferences = childReferences == null ? List.of() : List.copyOf(childReferences);
    history = history == null ? List.of() : List.copyOf(history);
    lostJobs = lostJobs == null ? Map.of() : Map.copyOf(lostJobs);
  }

  /** Whether the set belongs to another controller than that one; it leaves the set alone then. */
  public boolean belongsToAnotherThan(String identity) {
    return controller != null && !controller.equals(identity);
  }

  /** Who made the scale set; null if that is not known. */
  public ScaleSetProvenance.@Nullable Origin scaleSetOrigin() {
    return scaleSet == null ? null : scaleSet.origin();
  }

  /** The scale set that is being made, or was when the writer died; null if none is. */
  public ScaleSetProvenance.@Nullable Intent scaleSetIntent() {
    return scaleSet == null ? null : scaleSet.intent();
  }

  /** Which scale set {@code scaleSetId} means; null if nobody wrote it down. */
  public @Nullable ScaleSetIdentity scaleSetIdentity() {
    var known = scaleSet == null ? null : scaleSet.identity();
    return known == null || !Integer.valueOf(known.scaleSetId()).equals(scaleSetId) ? null : known;
  }
}
