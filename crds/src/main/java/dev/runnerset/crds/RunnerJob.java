package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The job of a runner, as the listener heard of it.
 *
 * @param completedIn the id of the message that said the job is over (LV2)
 */
@NullIsAbsent
public record RunnerJob(
    @JsonPropertyDescription("owner/name") @Nullable String repository,
    @JsonPropertyDescription("the workflow file and its git ref") @Nullable String workflowRef,
    @JsonPropertyDescription("the run, as in the URL of the run") @Nullable Long workflowRunId,
    @JsonPropertyDescription("the name that the service shows") @Nullable String displayName,
    @JsonPropertyDescription("what caused the run, as push") @Nullable String eventName,
    @JsonPropertyDescription("when the runner got it") @SchemaFrom(type = String.class)
        @Nullable Instant startedAt,
    @JsonPropertyDescription("the message that reported its end") @Nullable Long completedIn) {}
