package dev.runnerset.listener.metrics;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.listener.config.UsageRepositories;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who uses the runners of a set: its jobs by repository and workflow. Off, it counts nothing. */
final class Usage {
  private final Meters.Series series;
  private final UsageNames names;
  private final boolean isOn;

  Usage(Meters.Series series, UsageRepositories wanted) {
    this.series = series;
    this.names = new UsageNames(wanted);
    this.isOn = wanted.isOn();
  }

  /** A runner has the job: its series begin with 0, so that the end of the job is an increase. */
  void started(JobDescription job) {
    if (!isOn) {
      return;
    }
    var name = names.of(job);
    for (var result : ListenerMeter.USAGE_JOBS.definition().labels().getLast().values()) {
      series.show(ListenerMeter.USAGE_JOBS, name.repository(), name.workflow(), result);
    }
    series.show(ListenerMeter.USAGE_RUNNER_SECONDS, name.repository(), name.workflow());
    series.show(ListenerMeter.USAGE_QUEUE_SECONDS, name.repository(), name.workflow());
  }

  /**
   * A job that a runner had is over.
   *
   * @param result a value of the label
   */
  void completed(JobDescription job, String result) {
    if (!isOn) {
      return;
    }
    var name = names.of(job);
    series.count(ListenerMeter.USAGE_JOBS, name.repository(), name.workflow(), result);
    var queued = job.queuedAt() == null ? job.assignedAt() : job.queuedAt();
    add(ListenerMeter.USAGE_QUEUE_SECONDS, name, queued, job.startedAt());
    add(ListenerMeter.USAGE_RUNNER_SECONDS, name, job.startedAt(), job.finishedAt());
  }

  private void add(
      ListenerMeter meter, UsageNames.Name name, @Nullable Instant from, @Nullable Instant to) {
    var time = from == null || to == null ? Duration.ZERO : Duration.between(from, to);
    series.add(meter, time, name.repository(), name.workflow());
  }
}
