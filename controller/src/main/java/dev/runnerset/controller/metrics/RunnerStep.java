package dev.runnerset.controller.metrics;

import dev.runnerset.crds.RunnerTimeline;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The steps of a runner's life: the values of the label {@code phase}. */
public enum RunnerStep {
  SCHEDULED("scheduled", RunnerTimeline::scheduled),
  STARTED("started", RunnerTimeline::started),
  JOB_STARTED("job_started", RunnerTimeline::jobStarted),
  FINISHED("finished", RunnerTimeline::finished);

  private final String word;
  private final Function<RunnerTimeline, @Nullable Instant> at;

  RunnerStep(String word, Function<RunnerTimeline, @Nullable Instant> at) {
    this.word = word;
    this.at = at;
  }

  /** The value of the label. */
  public String word() {
    return word;
  }

  /** When a runner reached it; null if it has not, or if that is not known. */
  public @Nullable Instant in(RunnerTimeline timeline) {
    return at.apply(timeline);
  }
}
