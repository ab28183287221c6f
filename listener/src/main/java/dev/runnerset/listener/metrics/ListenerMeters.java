package dev.runnerset.listener.metrics;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.metrics.ListenerMeter.Kind;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.SetSeries;
import dev.runnerset.listener.session.context.SetSeries.Count;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The series of this process. Safe for concurrent use. */
public final class ListenerMeters {
  private static final Duration[] BUCKETS =
      Stream.of(0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3600.0)
          .map(seconds -> Duration.ofMillis((long) (seconds * 1000)))
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** All series in the text format of Prometheus. */
  public String exposition() {
    return registry.scrape();
  }

  /** The series of one set; its counters begin at 0, so that the first increase is visible. */
  public OfSet of(String namespace, String name) {
    var series = new OfSet(Tags.of("namespace", namespace, "name", name));
    series.begin();
    return series;
  }

  /** What a loop and its connection tell. */
  public final class OfSet implements SetSeries {
    private final Tags set;
    private volatile @Nullable Statistics believed;
    private volatile boolean ended; // a loop may tell something after its end

    private OfSet(Tags set) {
      this.set = set;
    }

    /** Every combination of a counter with at most one label. */
    private void begin() {
      for (var meter : ListenerMeter.values()) {
        if (meter.kind() == Kind.COUNTER) {
          if (meter.labels().isEmpty()) {
            var _ = counter(meter);
          } else {
            meter.labels().getFirst().values().forEach(value -> counter(meter, value));
          }
        }
      }
    }

    private void count(ListenerMeter meter, String... values) {
      if (!ended) {
        counter(meter, values).increment();
      }
    }

    private Counter counter(ListenerMeter meter, String... values) {
      return Counter.builder(meter.metric())
          .description(meter.help())
          .tags(tags(meter, values))
          .register(registry);
    }

    private void measure(ListenerMeter meter, Duration time, String... values) {
      if (!ended) {
        Timer.builder(meter.metric().replaceFirst("_seconds$", ""))
            .description(meter.help())
            .tags(tags(meter, values))
            .serviceLevelObjectives(BUCKETS)
            .register(registry)
            .record(time);
      }
    }

    private Tags tags(ListenerMeter meter, String... values) {
      var labels = meter.labels();
      if (values.length != labels.size()) {
        throw new IllegalArgumentException(meter.metric() + " has the labels " + labels);
      }
      var tags = set;
      for (int i = 0; i < values.length; i++) {
        tags = tags.and(labels.get(i).name(), values[i]);
      }
      return tags;
    }

    private void gauge(ListenerMeter meter, ToDoubleFunction<Statistics> value) {
      var _ =
          Gauge.builder(meter.metric(), this, series -> series.now(value))
              .description(meter.help())
              .tags(set)
              .register(registry);
    }

    private double now(ToDoubleFunction<Statistics> value) {
      var counts = believed;
      return counts == null ? Double.NaN : value.applyAsDouble(counts);
    }

    @Override
    public void believed(Statistics counts) {
      if (ended) {
        return;
      }
      var first = believed == null;
      believed = counts;
      if (first) {
        gauge(ListenerMeter.ASSIGNED_JOBS, Statistics::assigned);
        gauge(ListenerMeter.RUNNING_JOBS, Statistics::running);
        gauge(ListenerMeter.REGISTERED_RUNNERS, Statistics::registered);
        gauge(ListenerMeter.BUSY_RUNNERS, Statistics::busy);
        gauge(ListenerMeter.IDLE_RUNNERS, Statistics::idle);
        gauge(ListenerMeter.AVAILABLE_JOBS, Statistics::available);
      }
    }

    @Override
    public void counted(Count what) {
      switch (what) {
        case MESSAGES -> count(ListenerMeter.MESSAGES);
        case JOBS_ACQUIRED -> count(ListenerMeter.OFFERED_JOBS, "acquired");
        case JOBS_NOT_WON -> count(ListenerMeter.OFFERED_JOBS, "not_won");
        case MESSAGES_SKIPPED -> count(ListenerMeter.MESSAGES_SKIPPED);
        case POLLS_TIMED_OUT -> count(ListenerMeter.POLLS_UNANSWERED);
        case MARKS_WITHOUT_RUNNER -> count(ListenerMeter.MARKS_DROPPED, "runner_gone");
        case FOREIGN_MARKS -> count(ListenerMeter.MARKS_DROPPED, "other_registration");
        case LOOPS_FAILED -> count(ListenerMeter.LOOPS_RESTARTED, "failed");
        case LOOPS_DIED -> count(ListenerMeter.LOOPS_RESTARTED, "died");
        case LOOPS_STUCK -> count(ListenerMeter.LOOPS_RESTARTED, "stuck");
        case FENCES_LOST -> count(ListenerMeter.LOOPS_RESTARTED, "fenced");
        case SESSIONS_OPENED -> count(ListenerMeter.SESSIONS, "opened");
        case SESSIONS_LOST -> count(ListenerMeter.SESSIONS, "lost");
        case SESSIONS_CONFLICTING -> count(ListenerMeter.SESSIONS, "conflict");
        case SESSIONS_UNUSABLE -> count(ListenerMeter.SESSIONS, "unusable");
        case SESSIONS_TAKEN_OVER -> count(ListenerMeter.SESSIONS, "taken_over");
      }
    }

    @Override
    public void refused(KubeRefusal.Kind kind) {
      count(ListenerMeter.WRITES_REFUSED, kind.name().toLowerCase(Locale.ROOT));
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
          case JobEvent.JobAvailable _ -> count(ListenerMeter.OFFERED_JOBS, "offered");
          case JobEvent.JobAssigned _ -> {}
          case JobEvent.JobStarted _ -> {
            count(ListenerMeter.STARTED_JOBS);
            record(ListenerMeter.JOB_STARTUP, job.assignedAt(), job.startedAt());
          }
          case JobEvent.JobCompleted(var _, var result, var _, var runner) -> {
            if (!runner.isEmpty()) { // else no runner ever took it
              count(ListenerMeter.COMPLETED_JOBS, known(result));
              record(ListenerMeter.JOB_EXECUTION, job.startedAt(), job.finishedAt());
            }
          }
        }
      }
    }

    /** A word of the service that the label knows; {@code other} for any other one. */
    private static String known(String result) {
      var word = result.toLowerCase(Locale.ROOT);
      return ListenerMeter.COMPLETED_JOBS.labels().getFirst().values().contains(word)
          ? word
          : "other";
    }

    private static Stream<Instant> times(JobDescription job) {
      return Stream.of(job.assignedAt(), job.startedAt(), job.finishedAt())
          .filter(Objects::nonNull);
    }

    private void record(ListenerMeter meter, @Nullable Instant from, @Nullable Instant to) {
      if (from != null && to != null) {
        var time = Duration.between(from, to);
        measure(meter, time.isNegative() ? Duration.ZERO : time);
      }
    }

    /** A request to the service ended, after that time. */
    void asked(String call, String outcome, Duration time) {
      measure(ListenerMeter.REQUESTS, time, call, outcome);
    }

    /** Removes the series: this process does not listen for the set any more. */
    public void end() {
      ended = true;
      registry.getMeters().stream()
          .filter(meter -> meter.getId().getTags().containsAll(set.stream().toList()))
          .forEach(registry::remove);
    }
  }
}
