package dev.runnerset.listener.metrics;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.Statistics;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.base.metrics.Metric;
import dev.runnerset.listener.config.UsageRepositories;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.SetSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The series of one set that this process listens for. Safe for concurrent use. */
public final class ListenerSeries implements SetSeries {
  private final Meters.Series series;
  private final Usage usage;
  private @Nullable Instant waitingSince; // guarded by this

  /**
   * Takes the place of any series that the set has; its counters begin at 0.
   *
   * @param counted whose jobs are counted by repository
   */
  public ListenerSeries(Meters meters, String namespace, String name, UsageRepositories counted) {
    series = meters.begin(namespace, name);
    usage = new Usage(series, counted);
  }

  @Override
  public void believed(Statistics counts, Instant now) {
    series.gauge(ListenerMeter.ASSIGNED_JOBS, counts.assigned());
    series.gauge(ListenerMeter.RUNNING_JOBS, counts.running());
    series.gauge(ListenerMeter.REGISTERED_RUNNERS, counts.registered());
    series.gauge(ListenerMeter.BUSY_RUNNERS, counts.busy());
    series.gauge(ListenerMeter.IDLE_RUNNERS, counts.idle());
    series.gauge(ListenerMeter.AVAILABLE_JOBS, counts.available());
    boolean waits = counts.assigned() > counts.running() || counts.available() > 0;
    waiting(since -> waits ? Objects.requireNonNullElse(since, now) : null);
  }

  /**
   * The service does not tell the jobs that wait for a place from each other. So the oldest one is
   * known only to have waited since none waited, or since the last one started.
   */
  private synchronized void waiting(UnaryOperator<@Nullable Instant> change) {
    var since = change.apply(waitingSince);
    waitingSince = since;
    series.gauge(ListenerMeter.WAITING_SINCE, since == null ? Double.NaN : since.getEpochSecond());
  }

  @Override
  public void counted(Metric what, String... labels) {
    series.count(what, labels);
  }

  @Override
  public void refused(KubeRefusal.Kind kind) {
    series.count(ListenerMeter.WRITES_REFUSED, kind.name().toLowerCase(Locale.ROOT));
  }

  @Override
  public void received(Message message, Instant now) {
    message.events().stream()
        .flatMap(event -> times(event.job()))
        .max(Comparator.naturalOrder())
        .ifPresent(latest -> record(ListenerMeter.MESSAGE_LAG, latest, now));
    for (var event : message.events()) {
      var job = event.job();
      switch (event) {
        case JobEvent.JobAvailable _ -> series.count(ListenerMeter.OFFERED_JOBS, "offered");
        case JobEvent.JobAssigned _ -> {}
        case JobEvent.JobStarted _ -> {
          series.count(ListenerMeter.STARTED_JOBS);
          waiting(since -> since == null ? null : now);
          usage.started(job);
          record(ListenerMeter.JOB_STARTUP, job.assignedAt(), job.startedAt());
        }
        case JobEvent.JobCompleted(var _, var result, var _, var runner) -> {
          if (!runner.isEmpty()) { // else no runner ever took it
            series.count(ListenerMeter.COMPLETED_JOBS, known(result));
            record(ListenerMeter.JOB_EXECUTION, job.startedAt(), job.finishedAt());
            usage.completed(job, known(result));
          }
        }
      }
    }
  }

  /** A word of the service that the label knows; {@code other} for any other one. */
  private static String known(String result) {
    var word = result.toLowerCase(Locale.ROOT);
    return ListenerMeter.COMPLETED_JOBS.definition().labels().getFirst().values().contains(word)
        ? word
        : "other";
  }

  private static Stream<Instant> times(JobDescription job) {
    return Stream.of(job.assignedAt(), job.startedAt(), job.finishedAt()).filter(Objects::nonNull);
  }

  private void record(ListenerMeter meter, @Nullable Instant from, @Nullable Instant to) {
    if (from != null && to != null) {
      series.observe(meter, Duration.between(from, to));
    }
  }

  /** A request to the service ended, after that time. */
  void asked(String call, String outcome, Duration time) {
    series.observe(ListenerMeter.REQUESTS, time, call, outcome);
  }

  /** Removes the series: this process does not listen for the set any more. */
  public void end() {
    series.end();
  }
}
