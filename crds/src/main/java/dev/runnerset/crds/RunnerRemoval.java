package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the service answered when this runner was to be removed: it has a job (SD5). */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunnerRemoval(
    @SchemaFrom(type = String.class) @Nullable Instant busySuspectUntil,
    @Nullable Integer refusals) {}
