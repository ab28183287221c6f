package dev.runnerset.controller.retention;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.retention.rules.LimitPolicy;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Deletes the runners beyond the limits of a set, at the common pace of all sets. A runner that
 * cannot be deleted does not block the others. Safe for concurrent use.
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

  /** The uids of deleted runners that may still be in the cache. */
  Set<String> pending() {
    return pending.uids(clock.instant());
  }

  /**
   * Deletes the surplus in its order, as far as the pace allows. Blocks for the requests.
   *
   * @return when to call again; never when only an event can bring more to do
   */
  RequeueTime delete(List<LimitPolicy.Surplus> surplus, AutoScalingRunnerSet set) {
    var requeue = RequeueTime.NEVER;
    var recentlyRefused = refused.uids(clock.instant());
    for (var one : surplus) {
      var now = clock.instant();
      var uid = one.runner().getMetadata().getUid();
      if (recentlyRefused.contains(uid)) {
        // the runner still counts, so no other is deleted in its place
        requeue = requeue.or(now.plus(FinishedRunnerDeleter.AFTER_REFUSAL));
        continue;
      }
      var slot = pace.enter(uid, now);
      if (slot.isPresent()) {
        return requeue.or(slot.get());
      }
      requeue = requeue.or(delete(one, set, now));
    }
    return requeue;
  }

  private RequeueTime delete(LimitPolicy.Surplus one, AutoScalingRunnerSet set, Instant now) {
    var uid = one.runner().getMetadata().getUid();
    try {
      var limit = DeletedFor.LIMIT;
      return switch (deleter.delete(one.runner(), one.outcome(), limit, set)) {
        case DELETED -> {
          pending.add(uid, now);
          yield RequeueTime.NEVER;
        }
        case CHANGED -> RequeueTime.at(now.plus(FinishedRunnerDeleter.AFTER_CHANGE));
        case REFUSED -> {
          refused.add(uid, now);
          yield RequeueTime.at(now.plus(FinishedRunnerDeleter.AFTER_REFUSAL));
        }
      };
    } finally {
      pace.leave();
    }
  }
}
