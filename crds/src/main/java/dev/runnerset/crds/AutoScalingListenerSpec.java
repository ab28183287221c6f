package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * What a listener needs to hold the session of one set.
 *
 * @param capacity the jobs offered to the service with each poll, running ones included
 */
@EmptyIsAbsent
@WithBuilder
public record AutoScalingListenerSpec(
    @JsonPropertyDescription("the set that is listened for") @Required ListenerTarget runnerSet,
    @JsonPropertyDescription("the URL of the set") @Required String githubConfigUrl,
    @JsonPropertyDescription("the credentials") @Required NamespacedReference githubConfigSecret,
    @JsonPropertyDescription("id of the scale set at the service") @Required Integer scaleSetId,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ScaleSetIdentity scaleSet,
    @JsonPropertyDescription("how many jobs are taken at a time, the running ones included")
        @Required
        @Min(0)
        Integer capacity,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ProxySettings proxy,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ServerTls githubServerTLS) {}
