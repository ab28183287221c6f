package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.jspecify.annotations.Nullable;

/**
 * What one runner is made from. A runner of a set carries no template: its pod is built from the
 * set that bears its revision (RN2).
 *
 * @param setGeneration the {@code metadata.generation} of the EphemeralRunnerSet it was made from
 * @param template only of a standalone runner
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EphemeralRunnerSpec(
    @JsonPropertyDescription("what the runner serves") @Required String githubConfigUrl,
    @JsonPropertyDescription("the credentials") @Required NameReference githubConfigSecret,
    @JsonPropertyDescription("id of the scale set at the service") @Required
        Integer runnerScaleSetId,
    @JsonPropertyDescription("hash of what makes its pod") @Nullable String revision,
    @JsonPropertyDescription("generation of the EphemeralRunnerSet it was made from")
        @Nullable Long setGeneration,
    @JsonPropertyDescription("how long it is kept after its end")
        @Nullable RunnerRetention retention,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable Deadlines deadlines,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ProxySettings proxy,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ServerTls githubServerTLS,
    @JsonPropertyDescription("pod template, of a runner without a set only")
        @PreserveUnknownFields
        @SchemaFrom(type = Object.class)
        @Nullable PodTemplateSpec template) {
  /** A builder of a spec that has only the required fields. */
  public static Builder builder(
      String githubConfigUrl, NameReference githubConfigSecret, Integer runnerScaleSetId) {
    return new Builder(githubConfigUrl, githubConfigSecret, runnerScaleSetId);
  }

  /** Sets the optional fields by name. */
  public static final class Builder {
    private final String githubConfigUrl;
    private final NameReference githubConfigSecret;
    private final Integer runnerScaleSetId;
    private @Nullable String revision;
    private @Nullable Long setGeneration;
    private @Nullable RunnerRetention retention;
    private @Nullable Deadlines deadlines;
    private @Nullable ProxySettings proxy;
    private @Nullable ServerTls githubServerTLS;
    private @Nullable PodTemplateSpec template;

    private Builder(
        String githubConfigUrl, NameReference githubConfigSecret, Integer runnerScaleSetId) {
      this.githubConfigUrl = githubConfigUrl;
      this.githubConfigSecret = githubConfigSecret;
      this.runnerScaleSetId = runnerScaleSetId;
    }

    /** Sets {@link EphemeralRunnerSpec#revision}; null for none. */
    public Builder revision(@Nullable String value) {
      revision = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSpec#setGeneration}; null for none. */
    public Builder setGeneration(@Nullable Long value) {
      setGeneration = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSpec#retention}; null for none. */
    public Builder retention(@Nullable RunnerRetention value) {
      retention = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSpec#deadlines}; null for none. */
    public Builder deadlines(@Nullable Deadlines value) {
      deadlines = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSpec#proxy}; null for none. */
    public Builder proxy(@Nullable ProxySettings value) {
      proxy = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSpec#githubServerTLS}; null for none. */
    public Builder githubServerTLS(@Nullable ServerTls value) {
      githubServerTLS = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSpec#template}; null for none. */
    public Builder template(@Nullable PodTemplateSpec value) {
      template = value;
      return this;
    }

    /** The record with what was set; the rest is absent. */
    public EphemeralRunnerSpec build() {
      return new EphemeralRunnerSpec(
          githubConfigUrl,
          githubConfigSecret,
          runnerScaleSetId,
          revision,
          setGeneration,
          retention,
          deadlines,
          proxy,
          githubServerTLS,
          template);
    }
  }
}
