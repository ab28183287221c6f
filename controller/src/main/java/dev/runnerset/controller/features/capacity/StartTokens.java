package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;

/**
 * A token bucket: each start takes a token, and a minute brings as many as the limit, which is also
 * the most that there are. Immutable.
 *
 * @param level tokens, with parts of one; below 0 if more runners started than were allowed
 * @param at when it was so
 */
public record StartTokens(double level, Instant at) {
  private static final double MINUTE = Duration.ofMinutes(1).toNanos();

  /** A bucket from which so many tokens were taken in the last minute. */
  public static StartTokens of(int perMinute, int started, Instant now) {
    return new StartTokens(perMinute - started, now);
  }

  /** The bucket at a later time, after so many more starts. */
  public StartTokens after(int starts, int perMinute, Instant now) {
    double come = Math.max(0, Duration.between(at, now).toNanos()) / MINUTE * perMinute;
    return new StartTokens(Math.min(perMinute, level + come) - starts, now);
  }

  /** How many runners may start now. */
  public int whole() {
    return (int) Math.max(0, Math.floor(level));
  }

  /** When the next token is whole; never if the bucket is full. */
  public RequeueTime next(int perMinute) {
    if (level >= perMinute) {
      return RequeueTime.NEVER;
    }
    double missing = Math.floor(level) + 1 - level;
    return RequeueTime.at(at.plusNanos((long) Math.ceil(missing * MINUTE / perMinute)));
  }
}
