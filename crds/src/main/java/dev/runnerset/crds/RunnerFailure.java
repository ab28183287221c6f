package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a runner failed. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RunnerFailure(
    @Nullable String reason,
    @Nullable String message,
    @Nullable Integer exitCode,
    @PreserveUnknownFields @SchemaFrom(type = Object.class) Map<String, Object> evidence) {

  /** Absent evidence is empty, so that equality survives a round trip. */
  public RunnerFailure {
    evidence = evidence == null ? Map.of() : Map.copyOf(evidence);
  }
}
