package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user wants of a set. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
    value = "!has(self.minRunners) || !has(self.maxRunners) || self.minRunners <= self.maxRunners",
    message = "minRunners must not be greater than maxRunners")
public record AutoScalingRunnerSetSpec(
    @Required
        @Pattern("^https?://[^/?#\\s]+/+[^/?#\\s]+(/+[^/?#\\s]+)?/*(\\?[^#\\s]*)?$")
        @JsonPropertyDescription(
            "URL of the enterprise, organization or repository that the runners serve;"
                + " immutable after registration")
        String githubConfigUrl,
    @Required
        @JsonPropertyDescription(
            "secret with github_token, or with github_app_id, github_app_installation_id and"
                + " github_app_private_key")
        NameReference githubConfigSecret,
    @Pattern("^[^\\s&#%+/]{1,100}$")
        @JsonPropertyDescription(
            "name of the scale set at the Actions service; default: metadata.name")
        @Nullable String runnerScaleSetName,
    @Default("default") @Nullable String runnerGroup,
    @JsonPropertyDescription("labels of the scale set beside its name") List<String> labels,
    @Min(0) @Default("0") @JsonPropertyDescription("idle runners kept beside the assigned ones")
        @Nullable Integer minRunners,
    @Min(0) @Default("10") @Nullable Integer maxRunners,
    @Default("Active") @Nullable RunnerMode mode,
    List<ScheduleWindow> schedule,
    @Nullable Deadlines deadlines,
    @Default("Busy") @Nullable Protection protection,
    @Nullable Retention retention,
    @Nullable GarbageCollection garbageCollection,
    @Nullable ProxySettings proxy,
    @Nullable ServerTls githubServerTLS,
    @Nullable ListenerSettings listener,
    @Pattern("^(v?\\d+\\.\\d+\\.\\d+([-+].*)?)?$")
        @Size(max = 64)
        @JsonPropertyDescription(
            "version of the runner in the image, as 2.335.1, for the history; default: the image's tag")
        @Nullable String runnerVersion,
    @Required
        @PreserveUnknownFields
        @SchemaFrom(type = Object.class)
        @JsonPropertyDescription("pod template; its container named runner runs the job")
        PodTemplateSpec template) {

  /** Absent lists are empty, so that equality survives a round trip. */
  public AutoScalingRunnerSetSpec {
    labels = labels == null ? List.of() : List.copyOf(labels);
    schedule = schedule == null ? List.of() : List.copyOf(schedule);
  }
}
