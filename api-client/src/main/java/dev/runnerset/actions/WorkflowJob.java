package dev.runnerset.actions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a job of a workflow run, as GitHub's REST API has it (protocol 3.17).
 *
 * @param id of the REST API, which no message carries
 * @param attempt of the run in which the job was executed
 * @param runner the runner that had it; its id is 0 and its name empty while none has
 * @param conclusion a word such as {@code failure} or {@code cancelled}; empty before the end
 * @param completedAt null before the end
 */
public record WorkflowJob(
    long id,
    String name,
    int attempt,
    Runner runner,
    String conclusion,
    @Nullable Instant completedAt) {
  /** A runner, as a job names it. */
  public record Runner(RunnerId id, String name) {}
}
