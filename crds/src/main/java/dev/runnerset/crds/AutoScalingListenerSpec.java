package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * What a listener needs to hold the session of one set.
 *
 * @param capacity the jobs offered to the service with each poll, running ones included
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AutoScalingListenerSpec(
    @Required ListenerTarget runnerSet,
    @Required String githubConfigUrl,
    @Required NamespacedReference githubConfigSecret,
    @Required Integer scaleSetId,
    @Required @Min(0) Integer capacity,
    @Nullable ProxySettings proxy,
    @Nullable ServerTls githubServerTLS,
    @Default("Shared") @Nullable ListenerMode mode) {}
