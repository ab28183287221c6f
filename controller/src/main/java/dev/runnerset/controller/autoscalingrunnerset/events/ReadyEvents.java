package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reports when the set is registered, when its listener has a session, and when the set is ready:
 * when one of these conditions turns True in another way than it was True before.
 *
 * @param wayByType the reason and message with which a condition was True last
 */
record ReadyEvents(Map<ConditionType, String> wayByType) {
  private static final List<ConditionType> REPORTED =
      List.of(ConditionType.REGISTERED, ConditionType.LISTENER_READY, ConditionType.READY);

  /** What follows from one reconcile. */
  record Next(ReadyEvents state, List<PendingEvent> due) {}

  ReadyEvents {
    wayByType = Map.copyOf(wayByType);
  }

  /** These conditions are known. */
  static ReadyEvents of(List<Condition> conditions) {
    return new ReadyEvents(Map.of()).next(conditions).state;
  }

  Next next(List<Condition> conditions) {
    var ways = new EnumMap<ConditionType, String>(ConditionType.class);
    ways.putAll(wayByType);
    var due = new ArrayList<PendingEvent>();
    for (var type : REPORTED) {
      StatusConditions.find(conditions, type)
          .filter(c -> StatusConditions.has(c, Value.TRUE))
          .filter(c -> !way(c).equals(ways.put(type, way(c))))
          .ifPresent(c -> due.add(event(c)));
    }
    return new Next(new ReadyEvents(ways), due);
  }

  private static String way(Condition condition) {
    return condition.getReason() + " " + StatusConditions.message(condition);
  }

  private static PendingEvent event(Condition condition) {
    var message = StatusConditions.message(condition);
    return new PendingEvent.Note(
        StatusConditions.reason(condition, RunnerSetReason.READY),
        condition.getType(),
        condition.getType() + " is True" + (message.isEmpty() ? "" : ": " + message));
  }
}
