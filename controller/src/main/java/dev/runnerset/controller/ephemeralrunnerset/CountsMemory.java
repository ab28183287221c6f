package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Backoff;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the process remembers of the service's counts of one set: what it read itself, and since
 * when the counts leave a question open. The service tells counts with messages about jobs; that it
 * tells of a runner that comes online is not certain. So while a question is open, the counts are
 * read. Thread-safe.
 */
final class CountsMemory {
  /** A runner connects within a few seconds after the start of its container. */
  static final Duration FIRST_READ = Duration.ofSeconds(5);

  /** While the service counts a runner that is not online, or a job that nobody takes. */
  private static final Backoff IN_TROUBLE =
      Backoff.of(Duration.ofSeconds(5), Duration.ofSeconds(20));

  /** While the counts raise no doubt, but do not fit to what runs here, or cannot be read. */
  private static final Backoff IN_DOUBT = Backoff.of(Duration.ofSeconds(5), Duration.ofMinutes(5));

  private final Map<String, Instant> missingSinceByUid = new HashMap<>(); // guarded by this
  private final Map<String, Duration> missedBeforeByUid = new HashMap<>(); // guarded by this
  private @Nullable Instant noneMissingSince; // guarded by this
  private StrandCondition.@Nullable Strand strand; // guarded by this
  private @Nullable ServiceCounts read; // guarded by this
  private int reads; // since the question is open; guarded by this
  private Instant readAt = Instant.EPOCH; // guarded by this
  private boolean reading; // guarded by this

  /** The latest counts: those that the listener heard, or those that this process read. */
  synchronized @Nullable ServiceCounts latest(@Nullable ServiceCounts heard) {
    return ServiceCounts.latest(heard, read);
  }

  /** These runners, and no others, are not known to be registered. */
  synchronized void missing(List<RunnerView> runners, Instant now) {
    var uids = new HashSet<String>();
    for (var runner : runners) {
      uids.add(runner.uid());
      missingSinceByUid.putIfAbsent(runner.uid(), now);
    }
    missingSinceByUid.forEach((uid, since) -> {
      if (!uids.contains(uid)) {
        missedBeforeByUid.merge(uid, Duration.between(since, now), Duration::plus);
      }
    });
    missingSinceByUid.keySet().retainAll(uids);
    forgetIfNoneIsMissing(now);
  }

  /** When none was missing for a while, all were online, whoever was missing before. */
  private void forgetIfNoneIsMissing(Instant now) {
    var since = noneMissingSince == null ? now : noneMissingSince;
    if (!now.isBefore(since.plus(RegistrationCondition.TOLD_AFTER))) {
      missedBeforeByUid.clear();
    }
    noneMissingSince = missingSinceByUid.isEmpty() ? since : null;
  }

  /** There are only those runners. */
  synchronized void retain(Set<String> uids) {
    missingSinceByUid.keySet().retainAll(uids);
    missedBeforeByUid.keySet().retainAll(uids);
  }

  /**
   * How long each runner had been missing by then, in all, by uid. The counts name nobody, so a
   * runner that was missing, was not, and is again was most likely missing all the time: another
   * runner stood for it.
   */
  synchronized Map<String, Duration> missedFor(Instant at) {
    var all = new HashMap<>(missedBeforeByUid);
    missingSinceByUid.forEach((uid, since) -> {
      if (at.isAfter(since)) {
        all.merge(uid, Duration.between(since, at), Duration::plus);
      }
    });
    return Map.copyOf(all);
  }

  /** Looks whether jobs wait beside idle runners (RN19). */
  synchronized void updateStrand(
      List<RunnerView> runners, @Nullable ServiceCounts latest, Instant now) {
    strand = StrandCondition.next(strand, runners, latest, now);
  }

  /** Jobs that wait beside idle runners; null for none. */
  synchronized StrandCondition.@Nullable Strand strand() {
    return strand;
  }

  /** Since when each of those runners has been missing, by uid. */
  synchronized Map<String, Instant> missingSince() {
    return Map.copyOf(missingSinceByUid);
  }

  /**
   * When the counts must be read; never while no question is open.
   *
   * @param latest as {@link #latest} says
   * @param isDoubted whether they say that a runner is not online, or that a job waits
   */
  synchronized RequeueTime nextRead(@Nullable ServiceCounts latest, boolean isDoubted) {
    var stranded =
        strand == null
            ? Stream.<Instant>empty()
            : Stream.of(strand.since().plus(StrandCondition.PATIENCE));
    var open = Stream.concat(missingSinceByUid.values().stream(), stranded).min(Instant::compareTo);
    if (open.isEmpty()) {
      reads = 0;
      return RequeueTime.NEVER;
    }
    var pause = (isDoubted ? IN_TROUBLE : IN_DOUBT).after(reads);
    return Stream.of(
            open.get().plus(FIRST_READ),
            latest == null ? Instant.EPOCH : latest.observedAt().plus(FIRST_READ),
            reads == 0 ? Instant.EPOCH : readAt.plus(pause))
        .max(Instant::compareTo)
        .map(RequeueTime::at)
        .orElse(RequeueTime.NEVER);
  }

  /** Begins a reading; false while another one is under way. */
  synchronized boolean beginReading(Instant now) {
    if (reading) {
      return false;
    }
    reading = true;
    reads++;
    readAt = now;
    return true;
  }

  /** Counts that were read for another question. */
  synchronized void learned(ServiceCounts counts) {
    read = ServiceCounts.latest(read, counts);
  }

  /** Ends the reading; null if it failed. */
  synchronized void endReading(@Nullable ServiceCounts counts) {
    reading = false;
    read = ServiceCounts.latest(read, counts);
  }
}
