package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs jobs again or says why not, and keeps who did so. Guarded by the {@link ServiceState}. */
final class Reruns {
  /** How old a run may be that runs again. */
  static final Duration MAX_AGE = Duration.ofDays(30);

  /** How often a run may run again. */
  static final int MAX_RERUNS = 50;

  static final String RUNNING = "This workflow is already running";
  static final String NEVER = "This workflow run cannot be retried";
  static final String OLD =
      "Unable to retry this workflow run because it was created over a month ago";
  static final String FORMER_ATTEMPT = "Only jobs from the current attempt can be re-run";

  private final ServiceState state;
  private final WorkflowRuns runs;
  private final List<RerunView> done = new ArrayList<>();

  Reruns(ServiceState state, WorkflowRuns runs) {
    this.state = state;
    this.runs = runs;
  }

  /** Jobs that failed or were cancelled run again; a refusal in the service's words, or empty. */
  Optional<String> failedJobs(RunHistory history, String by, Instant now) {
    var failed =
        history.latest().jobs.stream()
            .filter(
                job -> "failure".equals(job.conclusion()) || "cancelled".equals(job.conclusion()))
            .toList();
    return again(history, failed, by, now);
  }

  Optional<String> everyJob(RunHistory history, String by, Instant now) {
    return again(history, history.latest().jobs, by, now);
  }

  Optional<String> oneJob(RunHistory history, Job job, String by, Instant now) {
    return history.latest().jobs.contains(job)
        ? again(history, List.of(job), by, now)
        : Optional.of(FORMER_ATTEMPT);
  }

  /** All that were granted, oldest first. */
  List<RerunView> done() {
    return List.copyOf(done);
  }

  private Optional<String> again(RunHistory history, List<Job> jobs, String by, Instant now) {
    var refusal = refusal(history, jobs, now);
    if (refusal.isEmpty()) {
      var former = history.latest();
      runs.again(history, jobs, by, now);
      var views = jobs.stream().map(RunJobView::of).toList();
      done.add(new RerunView(now, by, history.run.id, former.number + 1, former.cancelled, views));
    }
    return refusal;
  }

  private Optional<String> refusal(RunHistory history, List<Job> jobs, Instant now) {
    var lag = state.faults.plan().runLag();
    if (history.latest().status(now, lag) != RunStatus.COMPLETED) {
      return Optional.of(RUNNING);
    }
    if (history.run.created.plus(MAX_AGE).isBefore(now)) {
      return Optional.of(OLD);
    }
    return jobs.isEmpty() || history.run.withoutWorkflow || history.latest().number > MAX_RERUNS
        ? Optional.of(NEVER)
        : Optional.empty();
  }
}
