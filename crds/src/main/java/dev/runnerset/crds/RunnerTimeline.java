package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a runner reached each step. */
@NullIsAbsent
public record RunnerTimeline(
    @JsonPropertyDescription("the resource was made") @SchemaFrom(type = String.class)
        @Nullable Instant created,
    @JsonPropertyDescription("a node took the pod") @SchemaFrom(type = String.class)
        @Nullable Instant scheduled,
    @JsonPropertyDescription("the images were there") @SchemaFrom(type = String.class)
        @Nullable Instant imagesPulled,
    @JsonPropertyDescription("the container runs") @SchemaFrom(type = String.class)
        @Nullable Instant started,
    @JsonPropertyDescription("it got a job") @SchemaFrom(type = String.class)
        @Nullable Instant jobStarted,
    @JsonPropertyDescription("it ended") @SchemaFrom(type = String.class)
        @Nullable Instant finished) {}
