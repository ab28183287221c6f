package dev.runnerset.testsupport;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands until a test moves it. Thread-safe: other threads see the move at once. */
public final class TestClock extends Clock {
  private volatile Instant now;

  /** Stands at the beginning of 2026, UTC. */
  public TestClock() {
    this(Instant.parse("2026-01-01T00:00:00Z"));
  }

  public TestClock(Instant start) {
    now = start;
  }

  /**
   * Moves the clock by a step; only one thread moves it.
   *
   * @param step negative to go back
   */
  public void advance(Duration step) {
    now = now.plus(step);
  }

  /** Moves the clock to an instant, which may be an earlier one. */
  public void set(Instant instant) {
    now = instant;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  /** This clock itself: the zone does not matter to instants. */
  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
