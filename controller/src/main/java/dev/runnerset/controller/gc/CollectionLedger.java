package dev.runnerset.controller.gc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a sweep did and the set's status does not say yet, and when its runners got their last job.
 * Between a collection and the lower target, the places that are to stay empty are held: nothing is
 * made for them. Losing it in a crash costs a count, and a place is filled that was to stay empty.
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
  public record News(int collected, int released, Instant since) {}

  /** Places that a target leaves out from that generation on. */
  private record Lowering(String uid, long generation, int places) {
    /** One that was made anew counts its generations anew, and leaves the places out, too. */
    boolean isIn(String target, long seen) {
      return !uid.equals(target) || generation <= seen;
    }
  }

  private static final class Page {
    @Nullable News news; // guarded by the ledger
    int held; // guarded by the ledger
    int toldReleased; // of the held; guarded by the ledger
    final List<Lowering> lowerings = new ArrayList<>(); // of the held; guarded by the ledger
    @Nullable Instant lastJob; // guarded by the ledger
  }

  private final Map<SetKey, Page> pageByKey = new HashMap<>(); // guarded by this

  /** A sweep begins that leaves so many places empty. */
  synchronized void hold(SetKey set, int places) {
    page(set).held += places;
  }

  /** The sweep is over: of the places it held only those of the collected runners stay so. */
  synchronized void collected(SetKey set, int count, int released, int held, Instant at) {
    var page = page(set);
    page.held -= held - released;
    if (count > 0) {
      var before = page.news;
      page.news =
          before == null
              ? new News(count, released, at)
              : new News(before.collected + count, before.released + released, before.since);
    }
  }

  /**
   * Places for which no runner is made now.
   *
   * @param uid of the EphemeralRunnerSet whose target is looked at
   * @param generation of that target: one that leaves places out by itself need not have them held,
   *     but a cache may be behind what was written
   */
  public synchronized int placesHeld(SetKey set, String uid, long generation) {
    var page = pageByKey.get(set);
    if (page == null) {
      return 0;
    }
    page.lowerings.removeIf(lowering -> {
      boolean seen = lowering.isIn(uid, generation);
      page.held -= seen ? lowering.places : 0;
      return seen;
    });
    return page.held;
  }

  /** What the set's status does not say yet. */
  public synchronized Optional<News> news(SetKey set) {
    var page = pageByKey.get(set);
    return page == null ? Optional.empty() : Optional.ofNullable(page.news);
  }

  /** The set's status says it now; the places are held until the target does, too. */
  public synchronized void told(SetKey set, News told) {
    var page = page(set);
    page.toldReleased += told.released;
    var all = page.news;
    page.news =
        all == null || all.collected == told.collected
            ? null
            : new News(all.collected - told.collected, all.released - told.released, all.since);
  }

  /** The target was written with what the status says; it stands there with that generation. */
  public synchronized void lowered(SetKey set, String uid, long generation) {
    var page = pageByKey.get(set);
    if (page != null && page.toldReleased != 0) {
      page.lowerings.add(new Lowering(uid, generation, page.toldReleased));
      page.toldReleased = 0;
    }
  }

  /** A runner of the set got a job then; older news than what is known changes nothing. */
  public synchronized void jobStarted(SetKey set, Instant at) {
    var page = page(set);
    if (page.lastJob == null || page.lastJob.isBefore(at)) {
      page.lastJob = at;
    }
  }

  /** When the last job started that this process knows of; null for none. */
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
