package dev.runnerset.demo.progress;

import dev.runnerset.simulator.service.Control;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Shows how a rehearsal goes: one line that changes on a terminal, plain lines otherwise. */
public final class Progress {
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

  /** The state of things, at most twice a second on a terminal and every two seconds elsewhere. */
  void show() {
    var now = clock.instant();
    if (service == null || now.isBefore(next)) {
      return;
    }
    next = now.plus(terminal ? Duration.ofMillis(500) : Duration.ofSeconds(2));
    var jobs = service.jobCounts();
    long idle = service.runners().stream().filter(r -> r.state().equals("IDLE")).count();
    long busy = service.runners().stream().filter(r -> r.state().equals("BUSY")).count();
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
    } else {
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
