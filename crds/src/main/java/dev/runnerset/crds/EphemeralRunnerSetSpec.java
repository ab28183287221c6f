package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import org.jspecify.annotations.Nullable;

/**
 * How many runners of which revision there should be, and what a runner of it needs.
 *
 * @param retention the set's, as it is now: its times go into new runners, the rest holds for all
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EphemeralRunnerSetSpec(
    @JsonPropertyDescription("how many live runners there should be")
        @Min(0)
        @Default("0")
        @SpecReplicas
        @Nullable Integer replicas,
    @JsonPropertyDescription(
            "the last message of the service whose ended jobs this number reckons with")
        @Nullable Long demandMessageId,
    @Min(0)
        @JsonPropertyDescription("a rollout may make so many runners in all, beside spec.replicas")
        @Nullable Integer maxRunners,
    @JsonPropertyDescription("no runner is made: somebody else holds the scale set's session")
        @Nullable Boolean creationHeld,
    @JsonPropertyDescription("no runner is made: the API server does not take its pod")
        @Nullable Boolean templateRefused,
    @JsonPropertyDescription("hash of what makes a runner pod") @Required String revision,
    @JsonPropertyDescription("what the runners serve") @Required String githubConfigUrl,
    @JsonPropertyDescription("the credentials") @Required NameReference githubConfigSecret,
    @JsonPropertyDescription("id of the scale set at the service") @Required
        Integer runnerScaleSetId,
    @JsonPropertyDescription(SHARED) @Nullable Deadlines deadlines,
    @JsonPropertyDescription(SHARED) @Nullable Protection protection,
    @JsonPropertyDescription(SHARED) @Nullable Retention retention,
    @JsonPropertyDescription(SHARED) @Nullable ProxySettings proxy,
    @JsonPropertyDescription(SHARED) @Nullable ServerTls githubServerTLS,
    @JsonPropertyDescription("pod template; its container named runner runs the job")
        @Required
        @PreserveUnknownFields
        @SchemaFrom(type = Object.class)
        PodTemplateSpec template) {
  /** The description of a field that is copied from the user's kind. */
  static final String SHARED = "as in the AutoScalingRunnerSet";

  /** A builder of a spec that has only the required fields. */
  public static Builder builder(
      String githubConfigUrl,
      NameReference githubConfigSecret,
      Integer runnerScaleSetId,
      String revision,
      PodTemplateSpec template) {
    return new Builder(githubConfigUrl, githubConfigSecret, runnerScaleSetId, revision, template);
  }

  /** A builder that has the values of this spec. */
  public Builder toBuilder() {
    return new Builder(githubConfigUrl, githubConfigSecret, runnerScaleSetId, revision, template)
        .replicas(replicas)
        .demandMessageId(demandMessageId)
        .maxRunners(maxRunners)
        .creationHeld(creationHeld)
        .templateRefused(templateRefused)
        .deadlines(deadlines)
        .protection(protection)
        .retention(retention)
        .proxy(proxy)
        .githubServerTLS(githubServerTLS);
  }

  /** Sets fields by name. */
  public static final class Builder {
    private final String githubConfigUrl;
    private final NameReference githubConfigSecret;
    private final Integer runnerScaleSetId;
    private String revision;
    private PodTemplateSpec template;
    private @Nullable Integer replicas;
    private @Nullable Long demandMessageId;
    private @Nullable Integer maxRunners;
    private @Nullable Boolean creationHeld;
    private @Nullable Boolean templateRefused;
    private @Nullable Deadlines deadlines;
    private @Nullable Protection protection;
    private @Nullable Retention retention;
    private @Nullable ProxySettings proxy;
    private @Nullable ServerTls githubServerTLS;

    private Builder(
        String githubConfigUrl,
        NameReference githubConfigSecret,
        Integer runnerScaleSetId,
        String revision,
        PodTemplateSpec template) {
      this.githubConfigUrl = githubConfigUrl;
      this.githubConfigSecret = githubConfigSecret;
      this.runnerScaleSetId = runnerScaleSetId;
      this.revision = revision;
      this.template = template;
    }

    /** Sets {@link EphemeralRunnerSetSpec#revision}. */
    public Builder revision(String value) {
      revision = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#template}. */
    public Builder template(PodTemplateSpec value) {
      template = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#replicas}; null for none. */
    public Builder replicas(@Nullable Integer value) {
      replicas = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#demandMessageId}; null for none. */
    public Builder demandMessageId(@Nullable Long value) {
      demandMessageId = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#maxRunners}; null for none. */
    public Builder maxRunners(@Nullable Integer value) {
      maxRunners = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#creationHeld}; null for no. */
    public Builder creationHeld(@Nullable Boolean value) {
      creationHeld = value;
      return this;
    }

    /** Whether the API server does not take a pod of the template; null for no. */
    public Builder templateRefused(@Nullable Boolean value) {
      templateRefused = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#deadlines}; null for none. */
    public Builder deadlines(@Nullable Deadlines value) {
      deadlines = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#protection}; null for none. */
    public Builder protection(@Nullable Protection value) {
      protection = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#retention}; null for none. */
    public Builder retention(@Nullable Retention value) {
      retention = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#proxy}; null for none. */
    public Builder proxy(@Nullable ProxySettings value) {
      proxy = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerSetSpec#githubServerTLS}; null for none. */
    public Builder githubServerTLS(@Nullable ServerTls value) {
      githubServerTLS = value;
      return this;
    }

    /** The spec with what was set; the rest is absent. */
    public EphemeralRunnerSetSpec build() {
      return new EphemeralRunnerSetSpec(
          replicas,
          demandMessageId,
          maxRunners,
          creationHeld,
          templateRefused,
          revision,
          githubConfigUrl,
          githubConfigSecret,
          runnerScaleSetId,
          deadlines,
          protection,
          retention,
          proxy,
          githubServerTLS,
          template);
    }
  }
}
