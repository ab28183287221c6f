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

  /** Nothing is remembered but what is in the slots. */
  SetMemory(Slots slots) {
    this(
        new CreationMemory(),
        new RemovalMemory(),
        new AtomicReference<>(AuditState.unknown()),
        new GatheredRunners(),
        slots);
  }

  /** Whether the set had runners at the last pass, and has none now; false at the first. */
  boolean losesItsLast(boolean emptyNow) {
    return Boolean.FALSE.equals(slots.put(EMPTY, emptyNow)) && emptyNow;
  }
}
