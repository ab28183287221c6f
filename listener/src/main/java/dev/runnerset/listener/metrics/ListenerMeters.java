package dev.runnerset.listener.metrics;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.SetSeries;
import dev.runnerset.listener.session.context.SetSeries.Count;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The series of this process. Safe for concurrent use. A set holds only what is not 0, since a
 * process has a thousand of them (docs/adr/0091).
 */
public final class ListenerMeters {
  private static final double[] BUCKETS = {
    0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600, Double.POSITIVE_INFINITY
  };

  private static final Map<ListenerMeter, ToDoubleFunction<Statistics>> GAUGES =
      Map.of(
          ListenerMeter.ASSIGNED_JOBS, Statistics::assigned,
          ListenerMeter.RUNNING_JOBS, Statistics::running,
          ListenerMeter.REGISTERED_RUNNERS, Statistics::registered,
          ListenerMeter.BUSY_RUNNERS, Statistics::busy,
          ListenerMeter.IDLE_RUNNERS, Statistics::idle,
          ListenerMeter.AVAILABLE_JOBS, Statistics::available);

  private final Map<String, OfSet> setByLabels = new ConcurrentSkipListMap<>();

  /** Writes all series in the text format of Prometheus. */
  public void writeTo(Writer out) throws IOException {
    for (var meter : ListenerMeter.values()) {
      out.write("# HELP %s %s\n".formatted(meter.metric(), meter.help()));
      out.write("# TYPE %s %s\n".formatted(meter.metric(), meter.kind().word()));
      for (var set : setByLabels.values()) {
        set.write(meter, out);
      }
    }
  }

  /** The series of one set; its counters begin at 0, so that the first increase is visible. */
  public OfSet of(String namespace, String name) {
    var series = new OfSet("name=\"%s\",namespace=\"%s\"".formatted(name, namespace));
    setByLabels.put(series.labels, series);
    return series;
  }

  /** One series of a set: a meter, and the values of its labels. */
  private record Series(ListenerMeter meter, List<String> values) {
    Series {
      if (values.size() != meter.labels().size()) {
        throw new IllegalArgumentException(meter.metric() + " has the labels " + meter.labels());
      }
    }

    static Series of(ListenerMeter meter, String... values) {
      return new Series(meter, List.of(values));
    }

    /** Each combination of a meter with at most one label. */
    static Stream<Series> all(ListenerMeter meter) {
      return meter.labels().isEmpty()
          ? Stream.of(of(meter))
          : meter.labels().getFirst().values().stream().map(value -> of(meter, value));
    }

    void write(Writer out, String suffix, String ofSet, String more, double value)
        throws IOException {
      out.append(meter.metric()).append(suffix).append('{').append(ofSet);
      for (int i = 0; i < values.size(); i++) {
        out.append(',').append(meter.labels().get(i).name());
        out.append("=\"").append(values.get(i)).append('"');
      }
      out.append(more).append("} ").append(Double.toString(value)).append('\n');
    }
  }

  /** Times, by the buckets that they are in. */
  private static final class Times {
    private final long[] countByBucket = new long[BUCKETS.length];
    private double sum;

    synchronized void add(double seconds) {
      int bucket = 0;
      while (seconds > BUCKETS[bucket]) {
        bucket++;
      }
      countByBucket[bucket]++;
      sum += seconds;
    }

    /** Holds nobody while it writes: who reads may be slow. */
    void write(Series series, String ofSet, Writer out) throws IOException {
      long[] counts;
      double total;
      synchronized (this) {
        counts = countByBucket.clone();
        total = sum;
      }
      long count = 0;
      for (int i = 0; i < BUCKETS.length; i++) {
        count += counts[i];
        var bound = Double.isInfinite(BUCKETS[i]) ? "+Inf" : Double.toString(BUCKETS[i]);
        series.write(out, "_bucket", ofSet, ",le=\"" + bound + "\"", count);
      }
      series.write(out, "_count", ofSet, "", count);
      series.write(out, "_sum", ofSet, "", total);
    }
  }

  /** What a loop and its connection tell. */
  public final class OfSet implements SetSeries {
    private final String labels;
    private final Map<Series, Long> countBySeries = new ConcurrentHashMap<>();
    private final Map<Series, Times> timesBySeries = new ConcurrentHashMap<>();
    private volatile @Nullable Statistics believed;

    private OfSet(String labels) {
      this.labels = labels;
    }

    private void write(ListenerMeter meter, Writer out) throws IOException {
      switch (meter.kind()) {
        case GAUGE -> {
          var counts = believed;
          var value = GAUGES.get(meter);
          if (counts != null && value != null) {
            Series.of(meter).write(out, "", labels, "", value.applyAsDouble(counts));
          }
        }
        case COUNTER -> {
          for (var series : Series.all(meter).toList()) {
            series.write(out, "", labels, "", countBySeries.getOrDefault(series, 0L));
          }
        }
        case TIMER -> {
          for (var times : timesBySeries.entrySet()) {
            if (times.getKey().meter() == meter) {
              times.getValue().write(times.getKey(), labels, out);
            }
          }
        }
      }
    }

    private void count(ListenerMeter meter, String... values) {
      countBySeries.merge(Series.of(meter, values), 1L, Long::sum);
    }

    private void measure(ListenerMeter meter, Duration time, String... values) {
      timesBySeries
          .computeIfAbsent(Series.of(meter, values), _ -> new Times())
          .add(time.toNanos() / 1e9);
    }

    @Override
    public void believed(Statistics counts) {
      believed = counts;
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
      setByLabels.remove(labels, this);
    }
  }
}
