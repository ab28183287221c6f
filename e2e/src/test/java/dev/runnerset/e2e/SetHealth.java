package dev.runnerset.e2e;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Set;

/** What the conditions of a set say together. */
public final class SetHealth {
  private static final Set<String> GOOD_IF_TRUE = Set.of("Ready", "Registered", "ListenerReady");

  private SetHealth() {}

  /** Whether a set with these conditions is well: jobs that come get runners, and all is said. */
  public static boolean isWell(List<Condition> conditions) {
    return conditions.stream()
            .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"))
        && conditions.stream().noneMatch(SetHealth::isProblem);
  }

  /** All problems that conditions report. */
  public static List<String> problems(List<Condition> conditions) {
    return conditions.stream().filter(SetHealth::isProblem).map(SetHealth::words).toList();
  }

  /** Whether it reports a problem. */
  public static boolean isProblem(Condition condition) {
    return GOOD_IF_TRUE.contains(condition.getType())
        ? !condition.getStatus().equals("True")
        : condition.getStatus().equals("True");
  }

  /** A condition in a line: {@code Type Reason: message}. */
  public static String words(Condition condition) {
    return condition.getType() + " " + condition.getReason() + ": " + condition.getMessage();
  }
}
