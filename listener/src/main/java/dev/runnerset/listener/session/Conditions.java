package dev.runnerset.listener.session;

import dev.runnerset.crds.LastTransition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The conditions of a listener object; for each, True means that all is well. */
final class Conditions {
  /** A session is open and polls are answered. */
  static final String CONNECTED = "Connected";

  /** Messages can be applied to the set and its runners. */
  static final String APPLIED = "MessagesApplied";

  private Conditions() {}

  /** The condition put into {@code current}; its transition time stays if its status does. */
  static List<Condition> with(
      List<Condition> current,
      String type,
      boolean status,
      String reason,
      String message,
      long generation,
      Instant now) {
    var word = status ? "True" : "False";
    var wanted =
        new ConditionBuilder()
            .withType(type)
            .withStatus(word)
            .withReason(reason)
            .withMessage(message)
            .withObservedGeneration(generation)
            .withLastTransitionTime(LastTransition.of(current, type, word, now))
            .build();
    return Stream.concat(current.stream().filter(c -> !type.equals(c.getType())), Stream.of(wanted))
        .sorted(Comparator.comparing(Condition::getType))
        .toList();
  }
}
