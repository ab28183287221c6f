package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.events.EventState;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;

/**
 * Reports runner sets by events ({@link EventState}) and series that follow from their statuses,
 * whoever wrote these. Thread-safe for different sets.
 */
record RunnerSetEvents(Events events, RunnerSetSeries series, Memories memories, Clock clock) {
  private static final Slot<EventState> STATE = new Slot<>();

  /**
   * Publishes what is due; does not block.
   *
   * @param set with the status as it was last written
   * @return when to publish again, if the status stays as it is
   */
  RequeueTime publish(AutoScalingRunnerSet set) {
    series.show(set, clock.instant());
    var memory = memories.of(set);
    var next = EventState.next(memory.find(STATE), set, clock.instant());
    memory.put(STATE, next.state());
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
    memories.of(set).clear(STATE);
    series.forget(set);
  }
}
