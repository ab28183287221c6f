package dev.runnerset.crd;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the ers reconciler observed, and the listener's {@code demand}. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EphemeralRunnerSetStatus(
    @Nullable Long observedGeneration,
    List<Condition> conditions,
    @StatusReplicas @Nullable Integer replicas,
    @Nullable RunnerCounts runners,
    @Nullable RolloutCounts rollout,
    List<ChildReference> childReferences,
    @PreserveUnknownFields
        @SchemaFrom(type = Object.class)
        @JsonPropertyDescription("deprecated: use childReferences; runner name to its full status")
        Map<String, Object> runnerStatuses,
    @Nullable Demand demand) {

  /** Nothing observed yet. */
  public static final EphemeralRunnerSetStatus NONE =
      new EphemeralRunnerSetStatus(null, List.of(), null, null, null, List.of(), Map.of(), null);

  /** Absent lists are empty, so that equality survives a round trip. */
  public EphemeralRunnerSetStatus {
    conditions = conditions == null ? List.of() : List.copyOf(conditions);
    childReferences = childReferences == null ? List.of() : List.copyOf(childReferences);
    runnerStatuses = runnerStatuses == null ? Map.of() : Map.copyOf(runnerStatuses);
  }
}
