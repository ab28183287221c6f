package dev.runnerset.controller.gc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the sweeps did that the set's status does not say yet, and when its runners got their last
 * job. Between a collection and the lower target, the places that are to stay empty are reserved:
 * no runner is made for them. A crash loses a count, and a place is filled that was to stay empty.
 * Thread-safe.
 */
public final class CollectionLedger {
  /**
   * Runners collected since the status was written last.
   *
   * @param collected how many went
   * @param released how many of their places stay empty
   * @param since when the first of them went
   */
  public record Pending(int collected, int released, Instant since) {}

  /** Places that the target of a generation, and each later one, leaves out. */
  private record Lowering(String uid, long generation, int places) {
    /**
     * True also for a re-created set: its generations restart, and its target leaves the places
     * out.
     */
    boolean isIn(String target, long seen) {
      return !uid.equals(target) || generation <= seen;
    }
  }

  private static final class Page {
    @Nullable Pending pending; // guarded by the ledger
    int reserved; // guarded by the ledger
    int reported; // of the reserved; guarded by the ledger
    final List<Lowering> lowerings = new ArrayList<>(); // of the reserved; guarded by the ledger
    @Nullable Instant lastJob; // guarded by the ledger
    @Nullable String failing; // of the sweep under way; guarded by the ledger
    @Nullable String failure; // of the last sweep; guarded by the ledger
  }

  private final Map<SetKey, Page> pageByKey = new HashMap<>(); // guarded by this

  /** Reserves places for a sweep that begins; they are to stay empty. */
  synchronized void reserve(SetKey set, int places) {
    page(set).reserved += places;
  }

  /**
   * The sweep is over: of its reserved places only the released ones stay so.
   *
   * @param count runners that were collected
   * @param released how many of their places stay empty
   * @param reserved places that were reserved for the sweep
   */
  synchronized void collected(SetKey set, int count, int released, int reserved, Instant at) {
    var page = page(set);
    page.reserved -= reserved - released;
    if (count > 0) {
      var before = page.pending;
      page.pending =
          before == null
              ? new Pending(count, released, at)
              : new Pending(before.collected + count, before.released + released, before.since);
    }
  }

  /**
   * How many places no runner is made for now.
   *
   * @param uid of the EphemeralRunnerSet whose target is looked at
   * @param generation of that target: places that it leaves out are reserved no longer, but a cache
   *     may be behind what was written
   */
  public synchronized int reservedPlaces(SetKey set, String uid, long generation) {
    var page = pageByKey.get(set);
    if (page == null) {
      return 0;
    }
    page.lowerings.removeIf(lowering -> {
      boolean seen = lowering.isIn(uid, generation);
      page.reserved -= seen ? lowering.places : 0;
      return seen;
    });
    return page.reserved;
  }

  /** What the set's status does not say yet. */
  public synchronized Optional<Pending> pending(SetKey set) {
    var page = pageByKey.get(set);
    return page == null ? Optional.empty() : Optional.ofNullable(page.pending);
  }

  /** The set's status says it now; the places are reserved until the target says it, too. */
  public synchronized void reported(SetKey set, Pending reported) {
    var page = page(set);
    page.reported += reported.released;
    var all = page.pending;
    page.pending =
        all == null || all.collected == reported.collected
            ? null
            : new Pending(
                all.collected - reported.collected, all.released - reported.released, all.since);
  }

  /** The target was written, in that generation, without the places that the status leaves out. */
  public synchronized void lowered(SetKey set, String uid, long generation) {
    var page = pageByKey.get(set);
    if (page != null && page.reported != 0) {
      page.lowerings.add(new Lowering(uid, generation, page.reported));
      page.reported = 0;
    }
  }

  /** A runner of the set got a job at that instant; the latest counts. */
  public synchronized void jobStarted(SetKey set, Instant at) {
    var page = page(set);
    if (page.lastJob == null || page.lastJob.isBefore(at)) {
      page.lastJob = at;
    }
  }

  /** The sweep under way did not do what it should, for that reason. */
  public synchronized void sweepFailed(SetKey set, String words) {
    page(set).failing = words;
  }

  /** A sweep of the set is over; whether {@link #failure} has changed. */
  synchronized boolean sweepEnded(SetKey set) {
    var page = pageByKey.get(set);
    if (page == null) {
      return false;
    }
    boolean changed = !Objects.equals(page.failure, page.failing);
    page.failure = page.failing;
    page.failing = null;
    return changed;
  }

  /** Why the last sweep of the set failed; null if it did not. */
  public synchronized @Nullable String failure(SetKey set) {
    var page = pageByKey.get(set);
    return page == null ? null : page.failure;
  }

  /** When the last job started, as far as this process knows; null for none. */
  public synchronized @Nullable Instant lastJob(SetKey set) {
    var page = pageByKey.get(set);
    return page == null ? null : page.lastJob;
  }

  /** The set is gone. */
  public synchronized void forget(SetKey set) {
    pageByKey.remove(set);
  }

  private Page page(SetKey set) {
    return pageByKey.computeIfAbsent(set, key -> new Page());
  }
}
