package dev.runnerset.listener.metrics;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.metrics.ListenerMeter.DroppedFor;
import dev.runnerset.listener.metrics.ListenerMeter.JobResult;
import dev.runnerset.listener.metrics.ListenerMeter.Kind;
import dev.runnerset.listener.metrics.ListenerMeter.RestartCause;
import dev.runnerset.listener.metrics.ListenerMeter.ServiceCall;
import dev.runnerset.listener.metrics.ListenerMeter.ServiceOutcome;
import dev.runnerset.listener.metrics.ListenerMeter.SessionEvent;
import dev.runnerset.listener.metrics.ListenerMeter.WriteAnswer;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerCounters.Count;
import dev.runnerset.listener.session.context.SetSeries;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
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

  /** What a loop and its connection tell. */
  public interface SeriesOfSet extends SetSeries {
    /** A request to the service ended, after that time. */
    void asked(ServiceCall call, ServiceOutcome outcome, Duration time);

    /** Removes the series: this process does not listen for the set any more. */
    void end();
  }

  /** The series of one set; its counters begin at 0, so that the first increase is visible. */
  public SeriesOfSet of(String namespace, String name) {
    var series = new Series(Tags.of("namespace", namespace, "name", name));
    series.begin();
    return series;
  }

  private final class Series implements SeriesOfSet {
    private final Tags set;
    private volatile @Nullable Statistics believed;
    private volatile boolean ended; // a loop may tell something after its end

    Series(Tags set) {
      this.set = set;
    }

    /** Every combination of a counter with at most one label. */
    void begin() {
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

    private Counter counter(ListenerMeter meter, String... values) {
      return Counter.builder(meter.metric())
          .description(meter.help())
          .tags(tags(meter, values))
          .register(registry);
    }

    private Timer timer(ListenerMeter meter, String... values) {
      return Timer.builder(meter.metric().replaceFirst("_seconds$", ""))
          .description(meter.help())
          .tags(tags(meter, values))
          .serviceLevelObjectives(BUCKETS)
          .register(registry);
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
      if (ended) {
        return;
      }
      switch (what) {
        case MESSAGES -> counter(ListenerMeter.MESSAGES).increment();
        case MESSAGES_SKIPPED -> counter(ListenerMeter.MESSAGES_SKIPPED).increment();
        case POLLS_TIMED_OUT -> counter(ListenerMeter.POLLS_UNANSWERED).increment();
        case MARKS_WITHOUT_RUNNER -> dropped(DroppedFor.RUNNER_GONE);
        case FOREIGN_MARKS -> dropped(DroppedFor.OTHER_REGISTRATION);
        case LOOPS_FAILED -> restarted(RestartCause.FAILED);
        case LOOPS_DIED -> restarted(RestartCause.DIED);
        case LOOPS_STUCK -> restarted(RestartCause.STUCK);
        case FENCES_LOST -> restarted(RestartCause.FENCED);
        case SESSIONS_OPENED -> session(SessionEvent.OPENED);
        case SESSIONS_LOST -> session(SessionEvent.LOST);
        case SESSIONS_CONFLICTING -> session(SessionEvent.CONFLICT);
        case SESSIONS_UNUSABLE -> session(SessionEvent.UNUSABLE);
        case SESSIONS_TAKEN_OVER -> session(SessionEvent.TAKEN_OVER);
      }
    }

    private void dropped(DroppedFor reason) {
      counter(ListenerMeter.MARKS_DROPPED, ListenerMeter.word(reason)).increment();
    }

    private void restarted(RestartCause cause) {
      counter(ListenerMeter.LOOPS_RESTARTED, ListenerMeter.word(cause)).increment();
    }

    private void session(SessionEvent event) {
      counter(ListenerMeter.SESSIONS, ListenerMeter.word(event)).increment();
    }

    @Override
    public void refused(KubeRefusal.Kind kind) {
      if (ended) {
        return;
      }
      var answer =
          switch (kind) {
            case GONE -> WriteAnswer.GONE;
            case STALE -> WriteAnswer.STALE;
            case TEST_FAILED -> WriteAnswer.TEST_FAILED;
            case FORBIDDEN -> WriteAnswer.FORBIDDEN;
            case UNAVAILABLE -> WriteAnswer.UNAVAILABLE;
          };
      counter(ListenerMeter.WRITES_REFUSED, ListenerMeter.word(answer)).increment();
    }

    @Override
    public void received(Message message, Instant now) {
      if (ended) {
        return;
      }
      message.events().stream()
          .flatMap(event -> times(event.job()))
          .max(Comparator.naturalOrder())
          .ifPresent(latest -> record(ListenerMeter.MESSAGE_LAG, latest, now));
      for (var event : message.events()) {
        var job = event.job();
        switch (event) {
          case JobEvent.JobAssigned _ -> {}
          case JobEvent.JobStarted _ -> {
            counter(ListenerMeter.STARTED_JOBS).increment();
            record(ListenerMeter.JOB_STARTUP, job.assignedAt(), job.startedAt());
          }
          case JobEvent.JobCompleted(var _, var result, var _, var runner) -> {
            if (!runner.isEmpty()) { // else no runner ever took it
              counter(ListenerMeter.COMPLETED_JOBS, ListenerMeter.word(JobResult.of(result)))
                  .increment();
              record(ListenerMeter.JOB_EXECUTION, job.startedAt(), job.finishedAt());
            }
          }
        }
      }
    }

    private static Stream<Instant> times(JobDescription job) {
      return Stream.of(job.assignedAt(), job.startedAt(), job.finishedAt())
          .filter(Objects::nonNull);
    }

    private void record(ListenerMeter meter, @Nullable Instant from, @Nullable Instant to) {
      if (from != null && to != null) {
        var time = Duration.between(from, to);
        timer(meter).record(time.isNegative() ? Duration.ZERO : time);
      }
    }

    @Override
    public void asked(ServiceCall call, ServiceOutcome outcome, Duration time) {
      if (!ended) {
        timer(ListenerMeter.REQUESTS, ListenerMeter.word(call), ListenerMeter.word(outcome))
            .record(time);
      }
    }

    @Override
    public void end() {
      ended = true;
      registry.getMeters().stream()
          .filter(meter -> meter.getId().getTags().containsAll(set.stream().toList()))
          .forEach(registry::remove);
    }
  }
}
