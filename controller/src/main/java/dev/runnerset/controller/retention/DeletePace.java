package dev.runnerset.controller.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps cleanups from hammering the API server: deletions come one after the other at an even pace,
 * whoever asks, and only a few at a time are under way. Nobody waits in here: who comes too early
 * is told when to come again, and its place is kept. Thread-safe.
 */
final class DeletePace {
  /** 20 a second, as much as an ordinary client is allowed. */
  static final Duration BETWEEN = Duration.ofMillis(50);

  /** Under way at the same time; a slow server slows us down. */
  static final int AT_ONCE = 4;

  /** A place that nobody came to take is given up. */
  private static final Duration PLACE_IS_KEPT = Duration.ofMinutes(1);

  /** Threads read the clock before they come in; more than this back means that it was set. */
  private static final Duration SET_BACK = Duration.ofSeconds(1);

  private final Duration between;
  private final int atOnce;
  private final Map<String, Instant> placeByUid = new HashMap<>(); // guarded by this
  private Instant nextPlace = Instant.EPOCH; // guarded by this
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
   * Asks to delete one.
   *
   * @return empty when it may go now, to be followed by {@link #leave}; else when to ask again
   */
  synchronized Optional<Instant> enter(String uid, Instant now) {
    follow(now);
    var kept = placeByUid.remove(uid);
    var place = kept == null ? place(now) : kept;
    if (!place.isAfter(now) && underWay < atOnce) {
      underWay++;
      return Optional.empty();
    }
    var next = place.isAfter(now) ? place : place(now);
    placeByUid.put(uid, next);
    return Optional.of(next);
  }

  /** A deletion that was begun has its answer. */
  synchronized void leave() {
    underWay--;
  }

  /** Places that are kept; at most one a runner. */
  synchronized int waiting() {
    return placeByUid.size();
  }

  /** A clock that was set back must not hold everything up until it is where it was. */
  private void follow(Instant now) {
    if (now.isBefore(latest.minus(SET_BACK))) {
      placeByUid.clear();
      nextPlace = now;
      nextSweep = now;
      latest = now;
    } else if (now.isAfter(latest)) {
      latest = now;
    }
  }

  private Instant place(Instant now) {
    if (!now.isBefore(nextSweep)) {
      placeByUid.values().removeIf(place -> place.plus(PLACE_IS_KEPT).isBefore(now));
      nextSweep = now.plus(PLACE_IS_KEPT);
    }
    // never before now: a pause is not saved up for a burst
    var place = nextPlace.isAfter(now) ? nextPlace : now;
    nextPlace = place.plus(between);
    return place;
  }
}
