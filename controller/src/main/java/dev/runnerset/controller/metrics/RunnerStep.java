package dev.runnerset.controller.metrics;

import dev.runnerset.crds.RunnerTimeline;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The steps of a runner's life: the values of the label {@code phase}. */
public enum RunnerStep implements Word {
  SCHEDULED(RunnerTimeline::scheduled),
  STARTED(RunnerTimeline::started),
  JOB_STARTED(RunnerTimeline::jobStarted),
  FINISHED(RunnerTimeline::finished);

  private final Function<RunnerTimeline, @Nullable Instant> at;

  RunnerStep(Function<RunnerTimeline, @Nullable Instant> at) {
    this.at = at;
  }

  /** When a runner reached it; null if it has not, or if that is not known. */
  public @Nullable Instant in(RunnerTimeline timeline) {
    return at.apply(timeline);
  }
}
