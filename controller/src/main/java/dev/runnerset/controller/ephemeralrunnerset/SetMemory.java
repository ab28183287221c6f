package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.audit.AuditState;
import dev.runnerset.controller.memory.Slots;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the process remembers of one EphemeralRunnerSet between two passes. Losing it is harmless:
 * refusals and marks stand in the statuses of the runners, and a backoff goes on from {@code
 * status.failures} of the set. Thread-safe.
 */
final class SetMemory {
  private final CreationMemory creation = new CreationMemory();
  private final RemovalMemory removals = new RemovalMemory();
  private final AtomicReference<AuditState> audit = new AtomicReference<>(AuditState.unknown());
  private final StatusPace statusPace = new StatusPace();
  private final Slots slots = new Slots();
  private final GatheredRunners runners = new GatheredRunners();
  private volatile @Nullable Instant surplusSince;
  private final AtomicBoolean empty = new AtomicBoolean(true);

  /** Whether the set had runners at the last pass, and has none now; false at the first. */
  boolean losesItsLast(boolean emptyNow) {
    return !empty.getAndSet(emptyNow) && emptyNow;
  }

  /** The runners of the set; for its passes only. */
  GatheredRunners runners() {
    return runners;
  }

  CreationMemory creation() {
    return creation;
  }

  RemovalMemory removals() {
    return removals;
  }

  /** What is known of the set's registrations. */
  AtomicReference<AuditState> audit() {
    return audit;
  }

  /** What features remember of it. */
  Slots slots() {
    return slots;
  }

  StatusPace statusPace() {
    return statusPace;
  }

  /** Since when there have been too many runners, as the last plan said; null for no surplus. */
  @Nullable Instant surplusSince() {
    return surplusSince;
  }

  void surplusSince(@Nullable Instant since) {
    surplusSince = since;
  }

  /** When the status may be written again. Thread-safe. */
  static final class StatusPace {
    private volatile Instant notBefore = Instant.EPOCH;
    private volatile Instant childrenNotBefore = Instant.EPOCH;

    Instant notBefore() {
      return notBefore;
    }

    /** The status was written: not again before that. */
    void written(Instant next) {
      notBefore = next;
    }

    Instant childrenNotBefore() {
      return childrenNotBefore;
    }

    /** The list of children was written: not again before that. */
    void childrenWritten(Instant next) {
      childrenNotBefore = next;
    }
  }
}
