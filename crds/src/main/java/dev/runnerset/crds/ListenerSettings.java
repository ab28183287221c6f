package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/** How a set is listened for. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ListenerSettings(
    @JsonPropertyDescription(
            "Shared: one process listens for many sets; Dedicated, without effect yet: one for this set")
        @Default("Shared")
        @Nullable ListenerMode mode) {}
