package dev.runnerset.actions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scale set as the service knows it (protocol 3.7). */
public record ScaleSet(
    ScaleSetId id,
    String name,
    RunnerGroupId runnerGroupId,
    String runnerGroupName,
    List<String> labels,
    @Nullable Statistics statistics) {
  /** Copies the labels. */
  public ScaleSet {
    labels = List.copyOf(labels);
  }
}
