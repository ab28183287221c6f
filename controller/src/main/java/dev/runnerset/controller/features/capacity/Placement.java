package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.features.capacity.PlacementSignals.Signal;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.PlacementStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the placement of a set's runners between two looks (DM15). Immutable.
 *
 * @param gate null while nothing shows that runners find no place
 * @param seats null before the first look of a process
 */
public record Placement(@Nullable Gate gate, @Nullable Seats seats) {
  /** Nothing is known. */
  public static final Placement NONE = new Placement(null, null);

  /**
   * A signal that was given, and what has become of it.
   *
   * @param revision of the runners
   * @param since when it was given; while it holds, no container has run since
   * @param probedAt when the last runner began to try
   * @param room 0 while the signal holds; else how many more runners may try, since one has run
   * @param risenAt when the room became that
   */
  record Gate(
      String revision, Signal signal, Instant since, Instant probedAt, int room, Instant risenAt) {
    boolean holds() {
      return room == 0;
    }

    /** The same by a clock that may have been set back. */
    Gate notAfter(Instant now) {
      return new Gate(
          revision,
          signal,
          RequeueTime.earlier(since, now),
          RequeueTime.earlier(probedAt, now),
          room,
          RequeueTime.earlier(risenAt, now));
    }

    Gate probed(Instant at) {
      return new Gate(revision, signal, since, at, room, risenAt);
    }

    Gate risen(int to, Instant at) {
      return new Gate(revision, signal, since, probedAt, to, at);
    }
  }

  /**
   * The runners that have a place.
   *
   * @param ran the uids of the ones whose container ran
   * @param lastRanAt when another one was first seen to run
   * @param most how many there were; a place that became free counts for a while
   * @param mostAt when there were as many last
   */
  record Seats(Set<String> ran, Instant lastRanAt, int most, Instant mostAt) {
    /** Takes a copy. */
    Seats {
      ran = Set.copyOf(ran);
    }
  }

  /** What an earlier process stored; nothing if null. */
  public static Placement restored(@Nullable PlacementStatus stored) {
    if (stored == null) {
      return NONE;
    }
    var by =
        Arrays.stream(LimitedBy.values())
            .filter(LimitedBy::isOfPlacement)
            .filter(each -> each.reason().word().equals(stored.reason()))
            .findFirst();
    return by.map(reason ->
            new Placement(
                new Gate(
                    stored.revision(),
                    new Signal(
                        reason,
                        stored.of() == null ? "" : stored.of(),
                        stored.message(),
                        stored.since()),
                    stored.since(),
                    stored.probedAt(),
                    stored.room() == null ? 0 : Math.max(0, stored.room()),
                    stored.since()),
                null))
        .orElse(NONE);
  }

  /** What is stored; null for nothing. */
  public @Nullable PlacementStatus stored() {
    return gate == null
        ? null
        : new PlacementStatus(
            gate.revision(),
            gate.signal().by().reason().word(),
            gate.signal().of().isEmpty() ? null : gate.signal().of(),
            gate.signal().message(),
            gate.since(),
            gate.probedAt(),
            gate.holds() ? null : gate.room());
  }
}
