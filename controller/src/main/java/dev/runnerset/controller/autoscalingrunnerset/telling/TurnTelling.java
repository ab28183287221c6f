package dev.runnerset.controller.autoscalingrunnerset.telling;

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
 * Tells when the set is registered, when its listener has a session, and when the set is ready:
 * when one of these conditions turns True in another way than it was True before.
 *
 * @param wayByType the reason and message with which a condition was True last
 */
record TurnTelling(Map<ConditionType, String> wayByType) {
  private static final List<ConditionType> TOLD =
      List.of(ConditionType.REGISTERED, ConditionType.LISTENER_READY, ConditionType.READY);

  /** What follows from one look. */
  record Next(TurnTelling telling, List<Saying> sayings) {}

  TurnTelling {
    wayByType = Map.copyOf(wayByType);
  }

  /** These conditions are known. */
  static TurnTelling of(List<Condition> conditions) {
    return new TurnTelling(Map.of()).next(conditions).telling;
  }

  Next next(List<Condition> conditions) {
    var ways = new EnumMap<ConditionType, String>(ConditionType.class);
    ways.putAll(wayByType);
    var sayings = new ArrayList<Saying>();
    for (var type : TOLD) {
      StatusConditions.find(conditions, type)
          .filter(c -> StatusConditions.has(c, Value.TRUE))
          .filter(c -> !way(c).equals(ways.put(type, way(c))))
          .ifPresent(c -> sayings.add(saying(c)));
    }
    return new Next(new TurnTelling(ways), sayings);
  }

  private static String way(Condition condition) {
    return condition.getReason() + " " + StatusConditions.message(condition);
  }

  private static Saying saying(Condition condition) {
    var message = StatusConditions.message(condition);
    return new Saying.Note(
        StatusConditions.reason(condition, RunnerSetReason.READY),
        condition.getType(),
        condition.getType() + " is True" + (message.isEmpty() ? "" : ": " + message));
  }
}
