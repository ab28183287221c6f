package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.crds.LastTransition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The list of conditions of a set, in a fixed order. Pure. */
public final class Conditions {
  private Conditions() {}

  /** The conditions as they are to be; equal to {@code before} when nothing changed. */
  public static List<Condition> of(
      List<Condition> before, ConditionInput view, long generation, Instant now) {
    return Arrays.stream(RunnerSetCondition.values())
        .map(condition -> {
          var verdict = condition.of(view);
          return new ConditionBuilder()
              .withType(condition.type())
              .withStatus(verdict.status())
              .withReason(verdict.reason())
              .withMessage(verdict.message())
              .withObservedGeneration(generation)
              .withLastTransitionTime(
                  LastTransition.of(before, condition.type(), verdict.status(), now))
              .build();
        })
        .toList();
  }
}
