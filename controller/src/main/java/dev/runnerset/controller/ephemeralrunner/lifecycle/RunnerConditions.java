package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.ShortText;
import dev.runnerset.controller.retention.Outcome;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The conditions of a runner; True means that all is well. */
public final class RunnerConditions {
  public static final String SCHEDULED = "Scheduled";
  public static final String STARTED = "Started";
  public static final String REGISTERED = "Registered";
  public static final String SUCCEEDED = Outcome.CONDITION;
  public static final String RETENTION_ACCEPTED = "RetentionAccepted";

  private static final int LONGEST_MESSAGE = 500;

  private RunnerConditions() {}

  /** {@code wanted} put in; its transition time stays where the status does. */
  public static List<Condition> with(List<Condition> current, Condition wanted) {
    var next = new ArrayList<Condition>();
    var put = wanted;
    for (var condition : current) {
      if (!condition.getType().equals(wanted.getType())) {
        next.add(condition);
      } else if (Objects.equals(condition.getStatus(), wanted.getStatus())) {
        put =
            new ConditionBuilder(wanted)
                .withLastTransitionTime(condition.getLastTransitionTime())
                .build();
      }
    }
    next.add(put);
    next.sort(Comparator.comparing(Condition::getType));
    return List.copyOf(next);
  }

  /** The list without that condition. */
  public static List<Condition> without(List<Condition> current, String type) {
    return current.stream().filter(c -> !c.getType().equals(type)).toList();
  }

  /** Whether the list has that condition, whatever it says. */
  public static boolean has(List<Condition> current, String type) {
    return current.stream().anyMatch(c -> c.getType().equals(type));
  }

  /** One condition, as of {@code now}, cut to seconds as the server stores it. */
  public static Condition of(
      String type, String status, String reason, String message, Instant now) {
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage(cut(message))
        .withLastTransitionTime(now.truncatedTo(ChronoUnit.SECONDS).toString())
        .build();
  }

  /** Whether the list says this trouble already. */
  public static boolean tell(List<Condition> conditions, StartProblem trouble) {
    return conditions.stream()
        .anyMatch(c ->
            c.getType().equals(trouble.condition())
                && "False".equals(c.getStatus())
                && trouble.reason().equals(c.getReason()));
  }

  public static String cut(String message) {
    return ShortText.of(message, LONGEST_MESSAGE);
  }
}
