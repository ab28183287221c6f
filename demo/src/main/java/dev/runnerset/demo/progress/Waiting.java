package dev.runnerset.demo.progress;

import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** How a rehearsal waits: with its progress shown, and never for ever. */
public final class Waiting {
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Progress progress;
  private final Clock clock;

  public Waiting(Progress progress, Clock clock) {
    this.progress = progress;
    this.clock = clock;
  }

  /** Lets time pass. */
  public void pass(Duration time) {
    var until = clock.instant().plus(time);
    while (clock.instant().isBefore(until)) {
      progress.show();
      sleep();
    }
  }

  /** Waits for what must come; gives up with a sentence when it does not. */
  public void await(
      String what, Duration atMost, BooleanSupplier done, Supplier<String> otherwise) {
    var until = clock.instant().plus(atMost);
    while (!done.getAsBoolean()) {
      if (clock.instant().isAfter(until)) {
        throw new DemoException(
            "gave up after "
                + atMost.toSeconds()
                + " s waiting until "
                + what
                + ": "
                + otherwise.get());
      }
      progress.show();
      sleep();
    }
  }

  /** Waits for what should come; when it does not, the checks find what is there instead. */
  public void settle(Duration atMost, BooleanSupplier done) {
    var until = clock.instant().plus(atMost);
    while (!done.getAsBoolean() && clock.instant().isBefore(until)) {
      pass(Duration.ofMillis(200));
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoException("interrupted");
    }
  }
}
