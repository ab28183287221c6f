package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Runners that were collected for their age and no job since (AC10).
 *
 * @param count how many
 * @param since when the first of them went
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IdleCollections(
    @JsonPropertyDescription("how many") int count,
    @JsonPropertyDescription("when the first of them went") @SchemaFrom(type = String.class)
        @Nullable Instant since) {}
