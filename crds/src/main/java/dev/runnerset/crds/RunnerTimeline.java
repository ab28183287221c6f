package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a runner reached each step. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunnerTimeline(
    @SchemaFrom(type = String.class) @Nullable Instant created,
    @SchemaFrom(type = String.class) @Nullable Instant scheduled,
    @SchemaFrom(type = String.class) @Nullable Instant imagesPulled,
    @SchemaFrom(type = String.class) @Nullable Instant started,
    @SchemaFrom(type = String.class) @Nullable Instant registered,
    @SchemaFrom(type = String.class) @Nullable Instant jobStarted,
    @SchemaFrom(type = String.class) @Nullable Instant finished) {}
