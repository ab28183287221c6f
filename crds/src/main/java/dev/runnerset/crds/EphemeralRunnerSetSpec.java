package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * How many runners of which revision there should be, and what a runner of it needs.
 *
 * @param retention the set's, as it is now: its times go into new runners, the rest holds for all
 */
@EmptyIsAbsent
@WithBuilder
public record EphemeralRunnerSetSpec(
    @JsonPropertyDescription(
            "how many idle runners there should be, beside one for each job: minRunners of the set")
        @Min(0)
        @Default("0")
        @Nullable Integer replicas,
    @Min(0)
        @JsonPropertyDescription(
            "the most runners there should be; 0 while the set is drained or deleted")
        @Nullable Integer maxRunners,
    @Min(0)
        @JsonPropertyDescription(
            "how many runners there is room for; assigned jobs count beyond it; absent: maxRunners")
        @Nullable Integer places,
    @Min(0)
        @JsonPropertyDescription(
            "no runner is made beyond so many, whatever is assigned: the nodes take no more")
        @Nullable Integer startable,
    @JsonPropertyDescription(
            "idle runners beyond the places stay for a while, since no other set wants their room")
        @Nullable Boolean idleStay,
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
    @JsonPropertyDescription(SHARED) @Nullable String maxLifetime,
    @JsonPropertyDescription(SHARED) @Nullable Protection protection,
    @JsonPropertyDescription(SHARED) @Nullable Retention retention,
    @JsonPropertyDescription(SHARED) @Nullable ProxySettings proxy,
    @JsonPropertyDescription(SHARED) @Nullable ServerTls githubServerTLS,
    @JsonPropertyDescription("pod template; its container named runner runs the job")
        @Required
        @PreserveUnknownFields
        @SchemaFrom(type = Object.class)
        StoredTemplate template) {
  /** The description of a field that is copied from the user's kind. */
  static final String SHARED = "as in the AutoScalingRunnerSet";

  /** A builder of a spec that has only the required fields. */
  public static EphemeralRunnerSetSpecBuilder builder(
      String githubConfigUrl,
      NameReference githubConfigSecret,
      Integer runnerScaleSetId,
      String revision,
      StoredTemplate template) {
    return EphemeralRunnerSetSpecBuilder.builder()
        .githubConfigUrl(githubConfigUrl)
        .githubConfigSecret(githubConfigSecret)
        .runnerScaleSetId(runnerScaleSetId)
        .revision(revision)
        .template(template);
  }

  /** A builder that has the values of this spec. */
  public EphemeralRunnerSetSpecBuilder toBuilder() {
    return EphemeralRunnerSetSpecBuilder.builder(this);
  }
}
