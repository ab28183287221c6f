package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.telling.Saying;
import dev.runnerset.controller.autoscalingrunnerset.telling.Told;
import dev.runnerset.controller.events.Events;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells of runner sets by events that follow from their statuses, whoever wrote these ({@link
 * Told}). Thread-safe for different sets.
 */
final class RunnerSetTelling {
  private final Events events;
  private final Clock clock;
  private final Map<String, Told> toldByUid = new ConcurrentHashMap<>();

  RunnerSetTelling(Events events, Clock clock) {
    this.events = events;
    this.clock = clock;
  }

  /**
   * Tells what is due; does not block.
   *
   * @param set with the status as it was last written
   * @return when to look again, if the status stays as it is
   */
  RequeueTime look(AutoScalingRunnerSet set) {
    var uid = set.getMetadata().getUid();
    var next = Told.next(toldByUid.get(uid), set, clock.instant());
    toldByUid.put(uid, next.told());
    for (var saying : next.sayings()) {
      switch (saying) {
        case Saying.Warning(var reason, var message) -> events.warn(set, reason, message);
        case Saying.Note(var reason, var subject, var message) ->
            events.note(set, reason, subject, message);
      }
    }
    return next.lookAgain();
  }

  /** The set no longer exists. */
  void forget(AutoScalingRunnerSet set) {
    toldByUid.remove(set.getMetadata().getUid());
  }
}
