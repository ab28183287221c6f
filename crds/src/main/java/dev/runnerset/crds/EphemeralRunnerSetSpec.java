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
    @Min(0) @Default("0") @SpecReplicas @Nullable Integer replicas,
    @Nullable Long demandMessageId,
    @Min(0)
        @JsonPropertyDescription("a rollout may make so many runners in all, beside spec.replicas")
        @Nullable Integer maxRunners,
    @Required String revision,
    @Required String githubConfigUrl,
    @Required NameReference githubConfigSecret,
    @Required Integer runnerScaleSetId,
    @Nullable Deadlines deadlines,
    @Nullable Protection protection,
    @Nullable Retention retention,
    @Nullable ProxySettings proxy,
    @Nullable ServerTls githubServerTLS,
    @Required @PreserveUnknownFields @SchemaFrom(type = Object.class) PodTemplateSpec template) {}
