package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/**
 * The set a listener listens for; its EphemeralRunnerSet has the same name.
 *
 * @param uid of the EphemeralRunnerSet: another uid means that its demand was lost with it
 */
@EmptyIsAbsent
public record ListenerTarget(
    @JsonPropertyDescription("namespace of the set") @Required String namespace,
    @JsonPropertyDescription("name of the set, and of its EphemeralRunnerSet") @Required
        String name,
    @JsonPropertyDescription("uid of its EphemeralRunnerSet") @Required String uid) {}
