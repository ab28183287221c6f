package dev.runnerset.controller.sweep;

import dev.runnerset.base.Pure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a sweep compares of one set.
 *
 * @param counted what the service counts; null while nobody knows
 * @param explained how many registrations our resources explain at the moment of that count: those
 *     that stand, and those that went at about that time
 * @param running runners whose container had run for a while at that moment, and that are to be
 *     registered
 * @param changedAt when a runner of the set came or went last, as this process saw it
 */
@Pure
public record SweepFacts(@Nullable Counted counted, int explained, int running, Instant changedAt) {
  /** How many registrations the service counted, and when. */
  public record Counted(int registered, Instant at) {}

  /** Registrations that no resource explains. */
  int excess() {
    return counted == null ? 0 : Math.max(0, counted.registered() - explained);
  }

  /** Runners that have no registration. */
  int deficit() {
    return counted == null ? 0 : Math.max(0, running - counted.registered());
  }
}
