package dev.runnerset.e2e.world;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.PriorityQueue;

/** Virtual time, in milliseconds, and what is due in it. Nothing happens between two events. */
final class Timeline extends Clock {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Longer than any world, in seconds: somebody waits for ever. */
  private static final long LONG = 400L * 24 * 3600;

  private record Due(long at, long order, Runnable happening) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Due> agenda = new PriorityQueue<>();
  private long now;
  private long order;

  /** Milliseconds since the start. */
  long now() {
    return now;
  }

  @Override
  public Instant instant() {
    return START.plusMillis(now);
  }

  /** Kubernetes writes whole seconds. */
  String timestamp() {
    return START.plusSeconds(now / 1000).toString();
  }

  void in(long millis, Runnable happening) {
    agenda.add(new Due(now + Math.max(0, millis), order++, happening));
  }

  /** Until the instant, in milliseconds from now. */
  long until(Instant at) {
    var seconds = Duration.between(instant(), at).toSeconds();
    return seconds > LONG
        ? LONG * 1000
        : Math.max(0, Duration.between(instant(), at).plusNanos(999_999).toMillis());
  }

  /** Lets the next thing happen if it is due by then; else the time comes. */
  boolean step(long until) {
    var next = agenda.peek();
    if (next == null || next.at() > until) {
      now = Math.max(now, until);
      return false;
    }
    var _ = agenda.poll();
    now = Math.max(now, next.at());
    next.happening().run();
    return true;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
