package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The failures of runners in a row, so that a restart of the controller does not forget them. */
@NullIsAbsent
public record StartFailures(
    @JsonPropertyDescription("the revision of the runners") String revision,
    @JsonPropertyDescription("waves of failures: runners that fail together count once") int waves,
    @JsonPropertyDescription("runners that failed") int runners,
    @JsonPropertyDescription("the first failure") @SchemaFrom(type = String.class) Instant since,
    @JsonPropertyDescription("the last failure") @SchemaFrom(type = String.class) Instant lastAt,
    @JsonPropertyDescription("no runner is made earlier") @SchemaFrom(type = String.class)
        Instant notBefore,
    @JsonPropertyDescription("the message of the last failure") String last,
    @JsonPropertyDescription("whether a quota of the namespace refused the last one")
        @Nullable Boolean quota) {
  /** Anybody may remove a field: a time counts as long ago, a text as empty. */
  public StartFailures {
    since = since == null ? Instant.EPOCH : since;
    lastAt = lastAt == null ? Instant.EPOCH : lastAt;
    notBefore = notBefore == null ? Instant.EPOCH : notBefore;
    revision = revision == null ? "" : revision;
    last = last == null ? "" : last;
  }

  /** Whether a quota refused the last one. */
  public boolean refusedByQuota() {
    return Boolean.TRUE.equals(quota);
  }
}
