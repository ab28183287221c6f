package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * What one runner is made from. A runner of a set carries no template: its pod is built from the
 * set that bears its revision (RN2).
 *
 * @param setGeneration the {@code metadata.generation} of the EphemeralRunnerSet it was made from
 * @param template only of a standalone runner
 */
@EmptyIsAbsent
@WithBuilder
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
    @JsonPropertyDescription("how long its pod may run at most, idle time included")
        @Nullable String maxLifetime,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ProxySettings proxy,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ServerTls githubServerTLS,
    @JsonPropertyDescription("pod template, of a runner without a set only")
        @PreserveUnknownFields
        @SchemaFrom(type = Object.class)
        @Nullable StoredTemplate template) {
  /** A builder of a spec that has only the required fields. */
  public static EphemeralRunnerSpecBuilder builder(
      String githubConfigUrl, NameReference githubConfigSecret, Integer runnerScaleSetId) {
    return EphemeralRunnerSpecBuilder.builder()
        .githubConfigUrl(githubConfigUrl)
        .githubConfigSecret(githubConfigSecret)
        .runnerScaleSetId(runnerScaleSetId);
  }
}
