package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.references.Ownership;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.condition.EventReason;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells of jobs that were lost with their runner: an event on set and runner, and a counter. */
final class LostJobs {
  private final Events events;
  private final Meters meters;

  LostJobs(Events events, Meters meters) {
    this.events = events;
    this.meters = meters;
  }

  /** Tells of the job, if the runner ends with that status and its job was not over. */
  void tell(ObservedRunner observed, EphemeralRunnerStatus end) {
    var failure = end.failure();
    if (failure == null
        || observed.ownStatus().isTerminal()
        || !observed.observedStatus().isBusy()
        || observed.isJobCompleted()) {
      return;
    }
    var runner = observed.runner();
    var meta = runner.getMetadata();
    var reason = Objects.requireNonNullElse(failure.reason(), "");
    var message =
        "%s was lost with runner %s: %s: %s"
            .formatted(
                job(observed.observedStatus().job()), meta.getName(), reason, failure.message());
    events.warn(runner, EventReason.JOB_LOST, message);
    SetOfRunner.of(runner).ifPresent(set -> events.warn(set, EventReason.JOB_LOST, message));
    meters.count(
        Meter.JOBS_LOST,
        meta.getNamespace(),
        Ownership.setName(runner).orElse(""),
        LostBy.of(reason).word());
  }

  /** The job in words. */
  static String job(@Nullable RunnerJob job) {
    if (job == null) {
      return "a job";
    }
    var where =
        Stream.of(
                job.workflowRunId() == null ? "" : "run " + job.workflowRunId(),
                job.repository() == null ? "" : "in " + job.repository())
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    return (job.displayName() == null ? "a job" : "the job '" + job.displayName() + "'")
        + (where.isEmpty() ? "" : " (" + where + ")");
  }
}
