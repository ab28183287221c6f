package dev.runnerset.controller.autoscalingrunnerset;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;

/** Conditions as a status has them, all since {@link #SINCE}, with the message why. */
public final class Conditions {
  public static final Instant SINCE = Instant.parse("2026-11-21T11:00:00Z");

  private Conditions() {}

  public static Condition is(String type, String status, String reason) {
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage("why")
        .withLastTransitionTime(SINCE.toString())
        .build();
  }
}
