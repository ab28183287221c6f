package dev.runnerset.controller.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Spreads the deletions of both cleanup controllers, to spare the API server: they start at an even
 * pace, and only a few run at a time. No call blocks: a caller that is too early learns when to
 * come again, and its slot is reserved. Thread-safe.
 */
final class DeletePace {
  /** Between two starts: 20 a second, as much as an ordinary client may send. */
  static final Duration BETWEEN = Duration.ofMillis(50);

  /** Deletions that run at the same time; a slow server thus slows the pace. */
  static final int AT_ONCE = 4;

  /** A reserved slot expires after this time. */
  private static final Duration SLOT_EXPIRES = Duration.ofMinutes(1);

  /** Threads read the clock before they call; a larger step back means that the clock was set. */
  private static final Duration SET_BACK = Duration.ofSeconds(1);

  private final Duration between;
  private final int atOnce;
  private final Map<String, Instant> slotByUid = new HashMap<>(); // guarded by this
  private Instant nextSlot = Instant.EPOCH; // guarded by this
  private Instant nextSweep = Instant.EPOCH; // guarded by this
  private Instant latest = Instant.EPOCH; // guarded by this
  private int underWay; // guarded by this

  DeletePace() {
    this(BETWEEN, AT_ONCE);
  }

  DeletePace(Duration between, int atOnce) {
    this.between = between;
    this.atOnce = atOnce;
  }

  /**
   * Asks to start the deletion of a runner.
   *
   * @return empty if it may start now, and {@link #leave} must follow; else when to ask again
   */
  synchronized Optional<Instant> enter(String uid, Instant now) {
    follow(now);
    var reserved = slotByUid.remove(uid);
    var slot = reserved == null ? slot(now) : reserved;
    if (!slot.isAfter(now) && underWay < atOnce) {
      underWay++;
      return Optional.empty();
    }
    var next = slot.isAfter(now) ? slot : slot(now);
    slotByUid.put(uid, next);
    return Optional.of(next);
  }

  /** A deletion that was started has ended. */
  synchronized void leave() {
    underWay--;
  }

  /** The number of reserved slots; at most one a runner. */
  synchronized int waiting() {
    return slotByUid.size();
  }

  /** A clock that was set back must not block deletions until it is where it was. */
  private void follow(Instant now) {
    if (now.isBefore(latest.minus(SET_BACK))) {
      slotByUid.clear();
      nextSlot = now;
      nextSweep = now;
      latest = now;
    } else if (now.isAfter(latest)) {
      latest = now;
    }
  }

  private Instant slot(Instant now) {
    if (!now.isBefore(nextSweep)) {
      slotByUid.values().removeIf(slot -> slot.plus(SLOT_EXPIRES).isBefore(now));
      nextSweep = now.plus(SLOT_EXPIRES);
    }
    // never before now: a pause does not allow a burst
    var slot = nextSlot.isAfter(now) ? nextSlot : now;
    nextSlot = slot.plus(between);
    return slot;
  }
}
