package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the schedule of a set makes of its limits. */
@NullIsAbsent
public record ScheduleStatus(
    @JsonPropertyDescription("the open windows") List<String> active,
    @JsonPropertyDescription("holds now") int minRunners,
    @JsonPropertyDescription("holds now") int maxRunners,
    @JsonPropertyDescription("when a window opens or closes") @Nullable String nextChange) {

  /** Absent lists are empty, so that equality survives a round trip. */
  public ScheduleStatus {
    active = active == null ? List.of() : List.copyOf(active);
  }
}
