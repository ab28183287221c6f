package dev.runnerset.actions;

/**
 * A workflow run, as GitHub's REST API has it (protocol 3.17).
 *
 * @param repository as it is called now, also after it moved
 * @param attempt the present one; the first is 1
 * @param completed whether that attempt is over
 * @param conclusion a word such as {@code failure} or {@code cancelled}; empty before the end
 */
public record WorkflowRun(
    RepositoryName repository, int attempt, boolean completed, String conclusion) {}
