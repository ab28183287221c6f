package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the service answered when this runner was to be removed: it has a job (SD5). */
@NullIsAbsent
public record RunnerRemoval(
    @JsonPropertyDescription("until then it counts as busy: the service refused to remove it")
        @SchemaFrom(type = String.class)
        @Nullable Instant busySuspectUntil,
    @JsonPropertyDescription("how often the service refused") @Nullable Integer refusals) {}
