package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Takes {@code Ready} from sets of which nothing is known any more: no pass ends, or the listener
 * object is missing (WR12). Reads memory only, and writes only when {@code Ready} turns False.
 */
final class PassWatch {
  static final Duration EVERY = Duration.ofSeconds(15);

  /** A set that says that it is ready has a pass at least so often. */
  static final Duration WOKEN_AFTER = Duration.ofMinutes(2);

  static final Duration LONGEST = Duration.ofMinutes(4);

  /** What is watched. */
  interface Sets {
    /** The sets of ours that say that they are ready, as the cache has them. */
    Stream<AutoScalingRunnerSet> ready();

    /** Whether the cache has the listener object that was made for the set. */
    boolean hasListener(AutoScalingRunnerSet set);

    /** Triggers a pass. */
    void wake(AutoScalingRunnerSet set);

    /** Writes that the set is not ready, unless it changed meanwhile; blocks for a request. */
    void notReady(AutoScalingRunnerSet set, Finding finding);
  }

  private final Sets sets;
  private final Clock clock;
  private final Map<String, Instant> endedByUid = new ConcurrentHashMap<>();
  private Instant since = Instant.EPOCH; // this and the next two are of the thread of the rounds
  private Instant last = Instant.EPOCH;
  private Set<String> doubtedBefore = Set.of();

  PassWatch(Sets sets, Clock clock) {
    this.sets = sets;
    this.clock = clock;
  }

  /** A pass of the set has ended without a failure. */
  void ended(AutoScalingRunnerSet set) {
    endedByUid.put(set.getMetadata().getUid(), clock.instant());
  }

  /** Judges the sets; to be called every {@link #EVERY} while this process leads. */
  void round() {
    var now = clock.instant();
    if (now.isAfter(last.plus(EVERY.multipliedBy(4)))) {
      since = now; // this process leads since then, or stood still until then
    }
    last = now;
    var doubted = new HashSet<String>();
    var uids = new HashSet<String>();
    sets.ready()
        .forEach(set -> {
          var uid = set.getMetadata().getUid();
          uids.add(uid);
          var ended = endedByUid.getOrDefault(uid, since);
          var silent = Duration.between(ended.isBefore(since) ? since : ended, now);
          var finding = finding(silent, !sets.hasListener(set));
          if (finding.isPresent()) {
            doubted.add(uid); // a pass may be just ending, or the object just made again
            finding
                .filter(found -> doubtedBefore.contains(uid))
                .ifPresent(found -> sets.notReady(set, found));
          }
          if (finding.isPresent() || silent.compareTo(WOKEN_AFTER) >= 0) {
            sets.wake(set);
          }
        });
    doubtedBefore = doubted;
    endedByUid.keySet().retainAll(uids);
  }

  /**
   * Why a set that says that it is ready may not say so; empty if it may.
   *
   * @param silent since when no pass has ended
   * @param missing whether the listener object is missing
   */
  static Optional<Finding> finding(Duration silent, boolean missing) {
    if (silent.compareTo(LONGEST) >= 0) {
      return Optional.of(
          new Finding(
              RunnerSetReason.PASS_OVERDUE,
              "no pass of the set has ended without a failure for "
                  + LONGEST.toMinutes()
                  + " minutes, so it is not known how it is: look at the log and the CPU of the"
                  + " controller, and restart it if this lasts"));
    }
    return missing
        ? Optional.of(
            new Finding(
                RunnerSetReason.NO_LISTENER,
                "the listener object of the set is missing, so no jobs are heard of: it is made"
                    + " again by the next pass; look who deletes it if this lasts"))
        : Optional.empty();
  }
}
