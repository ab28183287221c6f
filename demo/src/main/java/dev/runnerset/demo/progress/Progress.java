package dev.runnerset.demo.progress;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.runnerset.simulator.service.Control;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows how a rehearsal goes: one line that changes on a terminal, plain lines otherwise. */
public final class Progress {
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** Elsewhere than on a terminal one line shows this many moments. */
  private static final int MOMENTS_A_LINE = 4;

  private final List<Moment> timeline = new ArrayList<>();
  private final PrintStream out;
  private final boolean terminal;
  private final Clock clock;
  private final Instant begin;
  private Instant next;
  private @Nullable Control service;

  public Progress(PrintStream out, boolean terminal, Clock clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
    begin = clock.instant();
    next = begin;
  }

  public void watch(Control control) {
    service = control;
  }

  /** A step of the script. */
  public void step(String what) {
    clear();
    out.printf("%6.1fs  %s%n", seconds(), what);
  }

  /**
   * The state at one moment: an array in the JSON.
   *
   * @param ms since the start, in milliseconds
   * @param waiting jobs that no runner runs yet
   */
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  public record Moment(long ms, long waiting, long running, long done, long idle, long busy) {}

  /** What was seen so far, twice a second. */
  public List<Moment> timeline() {
    return List.copyOf(timeline);
  }

  /** The state of things, at most twice a second on a terminal and every two seconds elsewhere. */
  void show() {
    var now = clock.instant();
    if (service == null || now.isBefore(next)) {
      return;
    }
    next = now.plus(INTERVAL);
    var jobs = service.jobCounts();
    long idle = service.runners().stream().filter(r -> r.state().equals("IDLE")).count();
    long busy = service.runners().stream().filter(r -> r.state().equals("BUSY")).count();
    timeline.add(
        new Moment(
            Duration.between(begin, now).toMillis(),
            jobs.queued() + jobs.assigned(),
            jobs.running(),
            jobs.completed(),
            idle,
            busy));
    var line =
        "jobs: %d queued, %d assigned, %d running, %d done   runners: %d registered, %d idle, %d busy"
            .formatted(
                jobs.queued(),
                jobs.assigned(),
                jobs.running(),
                jobs.completed(),
                service.runners().size(),
                idle,
                busy);
    if (terminal) {
      out.printf("\r\u001b[K%6.1fs  %s", seconds(), line);
      out.flush();
    } else if (timeline.size() % MOMENTS_A_LINE == 1) {
      out.printf("%6.1fs  %s%n", seconds(), line);
    }
  }

  public void clear() {
    if (terminal) {
      out.print("\r\u001b[K");
    }
  }

  private double seconds() {
    return Times.seconds(Duration.between(begin, clock.instant()));
  }
}
