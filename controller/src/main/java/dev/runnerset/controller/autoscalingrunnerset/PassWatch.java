package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which sets that say that they are ready are to be woken, or may not say so: nothing is known of
 * them any more, since no pass ends, or the listener object is missing (WR12). Reads memory only.
 */
final class PassWatch {
  static final Duration EVERY = Duration.ofSeconds(15);

  /** A set that says that it is ready has a pass at least so often. */
  static final Duration WOKEN_AFTER = Duration.ofMinutes(2);

  static final Duration LONGEST = Duration.ofMinutes(4);

  /**
   * A set that is to be woken.
   *
   * @param finding why it is not ready, to be written before; null if that is not certain
   */
  record Doubt(AutoScalingRunnerSet set, @Nullable Finding finding) {}

  private final Clock clock;
  private final Map<String, Instant> endedByUid = new ConcurrentHashMap<>();
  private Instant since = Instant.EPOCH; // this and the next two are of the thread of the rounds
  private Instant last = Instant.EPOCH;
  private Set<String> doubtedBefore = Set.of();

  PassWatch(Clock clock) {
    this.clock = clock;
  }

  /** A pass of the set has ended without a failure. */
  void ended(AutoScalingRunnerSet set) {
    endedByUid.put(set.getMetadata().getUid(), clock.instant());
  }

  /**
   * Judges sets; to be called every {@link #EVERY} while this process leads.
   *
   * @param ready the sets of ours that say that they are ready
   * @param hasListener whether the cache has the listener object that was made for the set
   */
  List<Doubt> round(List<AutoScalingRunnerSet> ready, Predicate<AutoScalingRunnerSet> hasListener) {
    var now = clock.instant();
    if (now.isAfter(last.plus(EVERY.multipliedBy(4)))) {
      since = now; // this process leads since then, or stood still until then
    }
    last = now;
    var doubted = new HashSet<String>();
    var doubts = new ArrayList<Doubt>();
    for (var set : ready) {
      var uid = set.getMetadata().getUid();
      var ended = endedByUid.getOrDefault(uid, since);
      var silent = Duration.between(ended.isBefore(since) ? since : ended, now);
      var finding = finding(silent, !hasListener.test(set));
      if (finding.isPresent()) {
        doubted.add(uid); // a pass may be just ending, or the object just made again
      }
      if (finding.isPresent() || silent.compareTo(WOKEN_AFTER) >= 0) {
        boolean certain = doubtedBefore.contains(uid);
        doubts.add(new Doubt(set, certain ? finding.orElse(null) : null));
      }
    }
    doubtedBefore = doubted;
    endedByUid.keySet().retainAll(ready.stream().map(set -> set.getMetadata().getUid()).toList());
    return doubts;
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
                  + " minutes, so its state is not known: check the log and the CPU of the"
                  + " controller, and restart it if this lasts"));
    }
    return missing
        ? Optional.of(
            new Finding(
                RunnerSetReason.NO_LISTENER,
                "the listener object of the set is missing, so the set receives no jobs: the"
                    + " controller creates it again; if this lasts, find out who deletes it"))
        : Optional.empty();
  }
}
