package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the set reconciler observed of a set. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AutoScalingRunnerSetStatus(
    @Nullable Long observedGeneration,
    @Nullable Integer scaleSetId,
    @Nullable Integer runnerGroupId,
    @Nullable String revision,
    List<Condition> conditions,
    @Nullable JobCounts jobs,
    @Nullable RunnerCounts runners,
    @Nullable AdvertisedCapacity capacity,
    @JsonPropertyDescription(ChildReference.LIST) List<ChildReference> childReferences,
    @JsonPropertyDescription("places of minRunners that stay empty until the next job is assigned")
        @Nullable Integer releasedIdle,
    @JsonPropertyDescription("runners collected for their age since the last job started")
        @Nullable IdleCollections idleCollections,
    @JsonPropertyDescription(
            "rollouts, newest first, at most 100; entries in between may have been pruned")
        @Size(max = 100)
        List<HistoryEntry> history) {

  /** Nothing observed yet. */
  public static final AutoScalingRunnerSetStatus NONE =
      new AutoScalingRunnerSetStatus(
          null, null, null, null, List.of(), null, null, null, List.of(), null, null, List.of());

  /** Absent lists are empty, so that equality survives a round trip. */
  public AutoScalingRunnerSetStatus {
    conditions = conditions == null ? List.of() : List.copyOf(conditions);
    childReferences = childReferences == null ? List.of() : List.copyOf(childReferences);
    history = history == null ? List.of() : List.copyOf(history);
  }
}
