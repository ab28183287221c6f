package dev.runnerset.crds;

import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;

/** {@code lastTransitionTime} of a condition that is written anew. Pure. */
public final class LastTransition {
  private LastTransition() {}

  /**
   * The time that stands, if the condition has that status already; else now, cut to seconds as
   * people read it. So a list of conditions is equal to the one before when nothing changed.
   */
  public static String of(List<Condition> before, String type, String status, Instant now) {
    return before.stream()
        .filter(old -> type.equals(old.getType()) && status.equals(old.getStatus()))
        .map(Condition::getLastTransitionTime)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
