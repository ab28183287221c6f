package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the ers reconciler observed.
 *
 * @param jobs a copy of the counts of the demand, for people
 * @param demand as a listener of protocol level 1 writes it; one of level 2 writes it here too, for
 *     a controller of level 1 (ADR 111)
 */
@EmptyIsAbsent
@WithBuilder
public record EphemeralRunnerSetStatus(
    @JsonPropertyDescription("the generation of the spec that this status is of")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("what is wrong with the runners; the AutoScalingRunnerSet repeats it")
        List<Condition> conditions,
    @JsonPropertyDescription("live runners, idle and with a job") @Nullable Integer replicas,
    @JsonPropertyDescription("runners, wanted and present") @Nullable RunnerCounts runners,
    @JsonPropertyDescription("jobs as the Actions service counts them; absent while unknown")
        @Nullable JobCounts jobs,
    @JsonPropertyDescription("how far the present revision has come")
        @Nullable RolloutCounts rollout,
    @JsonPropertyDescription("failures of runners in a row; absent for none")
        @Nullable StartFailures failures,
    @JsonPropertyDescription("places of minRunners that age collection left empty; absent for none")
        @Nullable Integer releasedIdle,
    @JsonPropertyDescription("runners collected for their age since the last job started")
        @Nullable IdleCollections idleCollections,
    @JsonPropertyDescription(ChildReference.LIST) List<ChildReference> childReferences,
    @PreserveUnknownFields
        @SchemaFrom(type = Object.class)
        @JsonPropertyDescription(
            "deprecated, use childReferences; absent unless the controller runs with"
                + " --embedded-status full or both: runner name to {revision, status}, 512 KiB at"
                + " most")
        Map<String, Object> runnerStatuses,
    @JsonPropertyDescription("for former versions; status.demand of the listener object counts")
        @Nullable Demand demand) {

  /** Nothing observed yet. */
  public static final EphemeralRunnerSetStatus NONE =
      EphemeralRunnerSetStatusBuilder.builder().build();

  /** Absent lists are empty, so that equality survives a round trip. */
  public EphemeralRunnerSetStatus {
    conditions = StatusConditions.stored(conditions);
    childReferences = childReferences == null ? List.of() : List.copyOf(childReferences);
    runnerStatuses = runnerStatuses == null ? Map.of() : withoutNulls(runnerStatuses);
  }

  /** Anybody may write a null there, and it must not make the object unreadable. */
  private static Map<String, Object> withoutNulls(Map<String, Object> map) {
    return map.entrySet().stream()
        .filter(e -> e.getValue() != null)
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
