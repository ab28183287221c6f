package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;

/**
 * The set a listener listens for; its EphemeralRunnerSet has the same name.
 *
 * @param uid of the EphemeralRunnerSet: another uid means that its demand was lost with it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ListenerTarget(
    @Required String namespace, @Required String name, @Required String uid) {}
