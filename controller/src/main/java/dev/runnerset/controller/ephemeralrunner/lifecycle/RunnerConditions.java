package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The conditions of a runner; True means that all is well. */
final class RunnerConditions {
  private static final int LONGEST_MESSAGE = 500;

  private static final Comparator<Condition> OUTCOME_FIRST =
      Comparator.comparing(c -> !ConditionType.SUCCEEDED.word().equals(c.getType()));

  private RunnerConditions() {}

  /**
   * The list with a condition as of {@code now}, with a message of at most 500 characters; its
   * transition time stays while its status stays. The outcome comes first: the column Why shows the
   * first condition that is False.
   */
  static List<Condition> with(
      List<Condition> current,
      ConditionType type,
      Value value,
      Reason reason,
      String message,
      Instant now) {
    var put = StatusConditions.build(current, type, value, reason, cut(message), null, now);
    return StatusConditions.with(current, put).stream().sorted(OUTCOME_FIRST).toList();
  }

  /** Whether the condition of the problem is False for its reason already. */
  static boolean hasProblem(List<Condition> conditions, StartProblem problem) {
    return isFalse(conditions, problem.condition(), problem.reason());
  }

  /** Whether that condition is False for that reason. */
  static boolean isFalse(List<Condition> conditions, ConditionType type, Reason reason) {
    return StatusConditions.find(conditions, type, Value.FALSE)
        .filter(c -> StatusConditions.has(c, reason))
        .isPresent();
  }

  static String cut(String message) {
    return ShortText.of(message, LONGEST_MESSAGE);
  }
}
