package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether jobs that were lost with their runner run again (RR1). */
@EmptyIsAbsent
public record Rerun(
    @JsonPropertyDescription(
            "true: the controller asks GitHub to run a lost job again; the credentials need the"
                + " permission Actions: write")
        @Default("false")
        @Nullable Boolean lostJobs,
    @JsonPropertyDescription(
            "how many new attempts a workflow run may have, also by people; beyond that no lost job"
                + " of it runs again")
        @Min(1)
        @Max(10)
        @Default("2")
        @Nullable Integer budget,
    @JsonPropertyDescription(
            "true: if a run lost several jobs and others failed by themselves, all of them run again;"
                + " otherwise none does")
        @Default("false")
        @Nullable Boolean withOthers,
    @JsonPropertyDescription(
            "which losses count; default: pod_deleted, pod_lost, evicted and node_down")
        @Size(max = 5)
        List<Cause> causes) {
  /** The default of {@link #budget}. */
  public static final int BUDGET = 2;

  /** Absent causes are the usual ones. */
  public Rerun {
    causes = causes == null ? List.of() : List.copyOf(causes);
  }

  /** By what a job that runs again was lost. */
  public enum Cause {
    /** Somebody deleted the pod. */
    @JsonProperty("pod_deleted")
    POD_DELETED,
    /** The pod is gone, as with its node. */
    @JsonProperty("pod_lost")
    POD_LOST,
    /** The pod was evicted, as in a drain, or preempted. */
    @JsonProperty("evicted")
    EVICTED,
    /** The node went down. */
    @JsonProperty("node_down")
    NODE_DOWN,
    /** The container needed more memory than its limit, which another try may need, too. */
    @JsonProperty("out_of_memory")
    OUT_OF_MEMORY
  }
}
