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
    @Nullable String failure; // of the last sweep; guarded by the ledger
  }

  private final Map<SetKey, Page> pageByKey = new HashMap<>(); // guarded by this

  /** Reserves a place for each removal that begins, or gives it back if the runner stays. */
  public synchronized void reserve(SetKey set, int places) {
    page(set).reserved += places;
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

  /**
   * A sweep of the set is over: its places stay reserved until the target leaves them out.
   *
   * @return whether the set has to report something new
   */
  public synchronized boolean sweepEnded(SetKey set, AgeSweep sweep) {
    var page = page(set);
    int count = sweep.begun();
    if (count > 0) {
      int released = sweep.releasing() ? count : 0;
      var since = Objects.requireNonNull(sweep.since());
      var before = page.pending;
      page.pending =
          before == null
              ? new Pending(count, released, since)
              : new Pending(before.collected + count, before.released + released, before.since);
    }
    boolean changed =
        failed(
            set,
            sweep.failed() == 0
                ? null
                : sweep.failed()
                    + " of the runners that have been idle for too long could not be removed at"
                    + " the service, which gave no answer or an error; the next sweep tries again");
    return changed || count > 0;
  }

  /** The set is left out of a sweep: no failure stands; whether one did. */
  synchronized boolean leftOut(SetKey set) {
    return pageByKey.containsKey(set) && failed(set, null);
  }

  private boolean failed(SetKey set, @Nullable String words) {
    boolean changed = !Objects.equals(failure(set), words);
    page(set).failure = words;
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
