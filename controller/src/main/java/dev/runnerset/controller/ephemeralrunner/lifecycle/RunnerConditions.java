package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The conditions of a runner; True means that all is well. */
public final class RunnerConditions {
  private static final int LONGEST_MESSAGE = 500;

  private RunnerConditions() {}

  /** {@code wanted} put in; its transition time stays where the status does. */
  public static List<Condition> with(List<Condition> current, Condition wanted) {
    var put =
        current.stream()
            .filter(c -> c.getType().equals(wanted.getType()))
            .filter(c -> Objects.equals(c.getStatus(), wanted.getStatus()))
            .findFirst()
            .map(c ->
                new ConditionBuilder(wanted)
                    .withLastTransitionTime(c.getLastTransitionTime())
                    .build())
            .orElse(wanted);
    return StatusConditions.with(current, put);
  }

  /** One condition, as of {@code now}, with a message of at most 500 characters. */
  public static Condition of(
      ConditionType type, Value value, Reason reason, String message, Instant now) {
    return StatusConditions.build(List.of(), type, value, reason, cut(message), null, now);
  }

  /** Whether the list says this trouble already. */
  public static boolean tell(List<Condition> conditions, StartProblem trouble) {
    return StatusConditions.find(conditions, trouble.condition())
        .filter(c -> StatusConditions.has(c, Value.FALSE))
        .filter(c -> StatusConditions.has(c, trouble.reason()))
        .isPresent();
  }

  public static String cut(String message) {
    return ShortText.of(message, LONGEST_MESSAGE);
  }
}
