package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
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
    @Required String githubConfigUrl,
    @Required NameReference githubConfigSecret,
    @Required Integer runnerScaleSetId,
    @Nullable String revision,
    @Nullable Long setGeneration,
    @Nullable RunnerRetention retention,
    @Nullable Deadlines deadlines,
    @Nullable ProxySettings proxy,
    @Nullable ServerTls githubServerTLS,
    @PreserveUnknownFields @SchemaFrom(type = Object.class) @Nullable PodTemplateSpec template) {}
