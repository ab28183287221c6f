package dev.runnerset.actions;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scale set as the service knows it (protocol 3.7).
 *
 * @param createdOn when it was made, by the service's clock; null if the service does not tell
 * @param online whether a message session is open, where the service tells; null if it does not
 */
public record ScaleSet(
    ScaleSetId id,
    String name,
    RunnerGroupId runnerGroupId,
    List<String> labels,
    @Nullable Statistics statistics,
    @Nullable Instant createdOn,
    @Nullable Boolean online) {
  /** Copies the labels. */
  public ScaleSet {
    labels = List.copyOf(labels);
  }
}
