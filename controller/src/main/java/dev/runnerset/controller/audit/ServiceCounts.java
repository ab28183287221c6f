package dev.runnerset.controller.audit;

import dev.runnerset.actions.Statistics;
import dev.runnerset.base.Pure;
import dev.runnerset.crds.Demand;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the service counted of one scale set at one moment (protocol 4.5).
 *
 * @param observedAt when the listener heard it, or this process read it
 * @param registered all registrations, those that never connected included
 * @param busy online runners with a job
 * @param idle online runners without one
 */
@Pure
public record ServiceCounts(
    Instant observedAt, int assigned, int running, int registered, int busy, int idle) {

  /** What the listener heard; null if that is not complete, or of another scale set. */
  static @Nullable ServiceCounts of(@Nullable Demand demand, @Nullable Integer scaleSetId) {
    if (demand == null
        || demand.observedAt() == null
        || demand.registered() == null
        || demand.busy() == null
        || demand.idle() == null) {
      return null;
    }
    if (demand.scaleSetId() != null && !demand.scaleSetId().equals(scaleSetId)) {
      return null;
    }
    return new ServiceCounts(
        demand.observedAt(),
        Objects.requireNonNullElse(demand.assigned(), 0),
        Objects.requireNonNullElse(demand.running(), 0),
        demand.registered(),
        demand.busy(),
        demand.idle());
  }

  /** What this process read. */
  static ServiceCounts of(Statistics read, Instant now) {
    return new ServiceCounts(
        now, read.assigned(), read.running(), read.registered(), read.busy(), read.idle());
  }

  /** The later one of two. */
  static @Nullable ServiceCounts latest(@Nullable ServiceCounts a, @Nullable ServiceCounts b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return b.observedAt.isAfter(a.observedAt) ? b : a;
  }

  /** Runners that are connected to the service. */
  int online() {
    return busy + idle;
  }

  /** Registrations without a connected runner. */
  int offline() {
    return Math.max(0, registered - busy - idle);
  }

  /** Jobs that were given to the scale set and that no runner has taken. */
  int waiting() {
    return Math.max(0, assigned - running);
  }
}
