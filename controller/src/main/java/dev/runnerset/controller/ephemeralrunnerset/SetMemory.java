package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.audit.AuditState;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.memory.Slots.Slot;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the process remembers of one EphemeralRunnerSet between two passes. Losing it is harmless:
 * refusals and marks stand in the statuses of the runners, and a backoff goes on from {@code
 * status.failures} of the set. Thread-safe.
 *
 * @param audit what is known of the set's registrations
 * @param runners the runners of the set; for its passes only
 * @param slots what steps of a pass and features remember of it
 */
record SetMemory(
    CreationMemory creation,
    RemovalMemory removals,
    AtomicReference<AuditState> audit,
    GatheredRunners runners,
    Slots slots) {
  private static final Slot<Boolean> EMPTY = new Slot<>(true);

  /** Nothing is remembered. */
  SetMemory() {
    this(
        new CreationMemory(),
        new RemovalMemory(),
        new AtomicReference<>(AuditState.unknown()),
        new GatheredRunners(),
        new Slots());
  }

  /** Whether the set had runners at the last pass, and has none now; false at the first. */
  boolean losesItsLast(boolean emptyNow) {
    boolean wasEmpty = slots.get(EMPTY);
    var _ = slots.change(EMPTY, was -> emptyNow);
    return emptyNow && !wasEmpty;
  }
}
