package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What, beside {@code maxRunners}, limits how many jobs are taken and runners are made (DM12). */
@EmptyIsAbsent
public record CapacitySettings(
    @JsonPropertyDescription(
            "Enforce: no more jobs are taken and no more runners are made than there is room for;"
                + " Shadow: the limits are only shown in the status and the metrics")
        @Default("Enforce")
        @Nullable Mode mode,
    @JsonPropertyDescription(
            "Enforce: the quotas of the namespace limit the set; Ignore: they do not")
        @Default("Enforce")
        @Nullable Bound quota,
    @JsonPropertyDescription(
            "Enforce: while runners find no place, or do not start, one at a time tries; Ignore: all"
                + " that are wanted do")
        @Default("Enforce")
        @Nullable Bound placement,
    @JsonPropertyDescription(
            "Fixed: the cluster gets no nodes by itself, so a pod that the scheduler cannot place shows"
                + " that there is no room; Scalable: it may be what an autoscaler waits for; default: as"
                + " the controller's --fixed-nodes says")
        @Nullable Nodes nodes,
    @JsonPropertyDescription(
            "how many runners are made a minute at most, idle ones included; default: no limit")
        @Min(1)
        @Max(AutoScalingRunnerSetSpec.MOST_RUNNERS)
        @Nullable Integer startsPerMinute,
    @JsonPropertyDescription(
            "what a job takes of quotas beside the pod of its runner, as the pods that container hooks"
                + " make")
        @Nullable PerJob perJob) {
  /** A quantity as text. */
  private static final String AMOUNT = "^[0-9]+([.][0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$";

  /** The settings of a set that names none. */
  public static final CapacitySettings DEFAULT =
      new CapacitySettings(null, null, null, null, null, null);

  /** Whether the limits are only shown. */
  public boolean onlyShows() {
    return mode == Mode.SHADOW;
  }

  /** Whether quotas limit the set. */
  public boolean followsQuotas() {
    return quota != Bound.IGNORE;
  }

  /** Whether runners that find no place limit the set. */
  public boolean followsPlacement() {
    return placement != Bound.IGNORE;
  }

  /**
   * Whether the cluster gets no nodes by itself.
   *
   * @param byDefault what the installation says
   */
  public boolean hasFixedNodes(boolean byDefault) {
    return nodes == null ? byDefault : nodes == Nodes.FIXED;
  }

  /** What becomes of the limits. */
  public enum Mode {
    /** They hold. */
    @JsonProperty("Enforce")
    ENFORCE,
    /** They are only shown. */
    @JsonProperty("Shadow")
    SHADOW
  }

  /** Whether something bounds the set. */
  public enum Bound {
    /** It does. */
    @JsonProperty("Enforce")
    ENFORCE,
    /** It does not. */
    @JsonProperty("Ignore")
    IGNORE
  }

  /** Whether nodes come by themselves. */
  public enum Nodes {
    /** An autoscaler may make some. */
    @JsonProperty("Scalable")
    SCALABLE,
    /** None come. */
    @JsonProperty("Fixed")
    FIXED
  }

  /** The size of what a job makes. */
  @EmptyIsAbsent
  public record PerJob(
      @JsonPropertyDescription("how many pods")
          @Min(0)
          @Max(AutoScalingRunnerSetSpec.MOST_RUNNERS)
          @Default("0")
          @Nullable Integer pods,
      @JsonPropertyDescription(
              "their requests by the names of resources, as cpu: \"2\", and what else a quota"
                  + " counts, as limits.memory, requests.storage or count/secrets")
          @Size(max = 20)
          Map<String, @Size(max = 32) @Pattern(AMOUNT) String> resources) {
    /** Absent resources are none. */
    public PerJob {
      resources = resources == null ? Map.of() : Map.copyOf(resources);
    }
  }
}
