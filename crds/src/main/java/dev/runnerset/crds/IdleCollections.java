package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What age collection did since the last job started (AC8, AC10).
 *
 * @param count how many runners it removed
 * @param since when the first of them was removed; null for none
 * @param failed how many runners its last sweep could not remove; null for none
 */
@NullIsAbsent
public record IdleCollections(
    @JsonPropertyDescription("how many") int count,
    @JsonPropertyDescription("when the first of them was removed") @SchemaFrom(type = String.class)
        @Nullable Instant since,
    @JsonPropertyDescription("how many runners the last sweep could not remove; absent for none")
        @Nullable Integer failed) {}
