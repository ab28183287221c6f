package dev.runnerset.controller.retention;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what is beyond the limits of a set, at the pace of all sets. One that cannot be deleted
 * holds up none of the others. Safe for concurrent use.
 */
final class SurplusDeletion {
  private final FinishedRunnerDeleter deleter;
  private final DeletePace pace;
  private final Clock clock;
  private final RecentDeletes pending = new RecentDeletes();
  private final RecentDeletes refused = new RecentDeletes();

  SurplusDeletion(FinishedRunnerDeleter deleter, DeletePace pace, Clock clock) {
    this.deleter = deleter;
    this.pace = pace;
    this.clock = clock;
  }

  /** Uids of those that are deleted and may still be in the cache. */
  Set<String> pending() {
    return pending.uids(clock.instant());
  }

  /**
   * In their order, as far as the pace allows. Blocks for the requests.
   *
   * @return when to look again; null when only an event can bring more to do
   */
  @Nullable Instant delete(List<LimitPolicy.Surplus> surplus, AutoScalingRunnerSet set) {
    Instant again = null;
    var held = refused.uids(clock.instant());
    for (var one : surplus) {
      var now = clock.instant();
      var uid = one.runner().getMetadata().getUid();
      if (held.contains(uid)) {
        // it counts all the same: no other goes in its place
        again = RequeueTime.at(again).or(now.plus(FinishedRunnerDeleter.AFTER_REFUSAL)).at();
        continue;
      }
      var place = pace.enter(uid, now);
      if (place.isPresent()) {
        return RequeueTime.at(again).or(place.get()).at();
      }
      again = RequeueTime.at(again).or(delete(one, set, now)).at();
    }
    return again;
  }

  private @Nullable Instant delete(LimitPolicy.Surplus one, AutoScalingRunnerSet set, Instant now) {
    var uid = one.runner().getMetadata().getUid();
    try {
      var limit = FinishedRunnerDeleter.Reason.LIMIT;
      return switch (deleter.delete(one.runner(), one.outcome(), limit, set)) {
        case DELETED -> {
          pending.asked(uid, now);
          yield null;
        }
        case CHANGED -> now.plus(FinishedRunnerDeleter.AFTER_CHANGE);
        case REFUSED -> {
          refused.asked(uid, now);
          yield now.plus(FinishedRunnerDeleter.AFTER_REFUSAL);
        }
      };
    } finally {
      pace.leave();
    }
  }
}
