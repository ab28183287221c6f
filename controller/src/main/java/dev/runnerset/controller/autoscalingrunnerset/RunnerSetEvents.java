package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.events.EventState;
import dev.runnerset.controller.events.Events;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;
import java.util.Map;

/**
 * Reports runner sets by events ({@link EventState}) and series that follow from their statuses,
 * whoever wrote these. Thread-safe for different sets.
 */
record RunnerSetEvents(
    Events events, RunnerSetSeries series, Map<String, EventState> stateByUid, Clock clock) {
  /**
   * Publishes what is due; does not block.
   *
   * @param set with the status as it was last written
   * @return when to publish again, if the status stays as it is
   */
  RequeueTime publish(AutoScalingRunnerSet set) {
    series.show(set);
    var uid = set.getMetadata().getUid();
    var next = EventState.next(stateByUid.get(uid), set, clock.instant());
    stateByUid.put(uid, next.state());
    for (var event : next.due()) {
      if (event.isWarning()) {
        events.warn(set, event.reason(), event.message());
      } else {
        events.note(set, event.reason(), event.subject(), event.message());
      }
    }
    return next.requeueAt();
  }

  /** The set no longer exists. */
  void forget(AutoScalingRunnerSet set) {
    stateByUid.remove(set.getMetadata().getUid());
    series.forget(set);
  }
}
