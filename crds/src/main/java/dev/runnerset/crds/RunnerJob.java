package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The job of a runner, as the listener heard of it.
 *
 * @param completedIn the id of the message that said the job is over (LV2)
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunnerJob(
    @Nullable String repository,
    @Nullable String workflowRef,
    @Nullable Long workflowRunId,
    @Nullable String displayName,
    @Nullable String eventName,
    @SchemaFrom(type = String.class) @Nullable Instant startedAt,
    @Nullable Long completedIn) {}
