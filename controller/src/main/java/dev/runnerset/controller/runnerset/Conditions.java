package dev.runnerset.controller.runnerset;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The list of conditions of a set, in a fixed order. Pure. */
final class Conditions {
  private Conditions() {}

  /**
   * The conditions as they are to be; equal to {@code before} when nothing changed, since a
   * transition time moves only with its status and is cut to seconds, as people read it.
   */
  static List<Condition> of(List<Condition> before, SetView view, long generation, Instant now) {
    return Arrays.stream(SetCondition.values())
        .map(condition -> {
          var verdict = condition.of(view);
          return new ConditionBuilder()
              .withType(condition.type())
              .withStatus(verdict.status())
              .withReason(verdict.reason())
              .withMessage(verdict.message())
              .withObservedGeneration(generation)
              .withLastTransitionTime(since(before, condition, verdict, now))
              .build();
        })
        .toList();
  }

  private static String since(
      List<Condition> before, SetCondition condition, SetCondition.Verdict verdict, Instant now) {
    return before.stream()
        .filter(old -> condition.type().equals(old.getType()))
        .filter(old -> verdict.status().equals(old.getStatus()))
        .map(Condition::getLastTransitionTime)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
