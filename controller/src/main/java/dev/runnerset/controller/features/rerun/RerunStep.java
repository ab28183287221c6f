package dev.runnerset.controller.features.rerun;

import dev.runnerset.base.Pure;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is to be done about lost jobs of one run. */
@Pure
sealed interface RerunStep {
  /** The run is not over, or GitHub has not noticed the end of a job: it is read again later. */
  record Wait() implements RerunStep {}

  /** The jobs of the run must be known. */
  record ReadJobs() implements RerunStep {}

  /** The jobs of these runners do not run again. */
  record Withhold(Set<String> runners, Withheld why) implements RerunStep {}

  /** The new attempt for the jobs of these runners is over. */
  record Conclude(Set<String> runners, boolean succeeded) implements RerunStep {}

  /**
   * GitHub is asked for a new attempt.
   *
   * @param attempt the number that it will have
   * @param job the one job to run again; null for all that failed
   */
  record Ask(Set<String> runners, int attempt, @Nullable Long job) implements RerunStep {}
}
