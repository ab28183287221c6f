package dev.runnerset.simulator.service;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the jobs of one run share. Guarded by the {@link ServiceState}. */
final class WorkflowRun {
  final long id;

  /** May be put back, so that the run is old. */
  Instant created;

  /** Null until a scale set gets a job of a run that any repository may have. */
  Repositories.@Nullable Repository repository;

  /** Where its commit comes from, {@code owner/name}; null for the repository itself. */
  @Nullable String fork;

  /** What began it: {@code push} or {@code workflow_dispatch}. */
  String event = "push";

  /** The file of its workflow. */
  String file = "ci.yml";

  /** How lists show it. */
  String title = "ci";

  /** The file of the workflow is gone, so that nothing of it runs again. */
  boolean withoutWorkflow;

  WorkflowRun(long id, Instant created) {
    this.id = id;
    this.created = created;
  }

  /** The name of its workflow. */
  String workflow() {
    return file.replaceFirst("\\.ya?ml$", "");
  }

  /** Where its workflow is in the repository. */
  String path() {
    return ".github/workflows/" + file;
  }
}
