package dev.runnerset.controller.references;

import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The condition that tells how many children the parent's status leaves out, if any. */
public final class TruncatedCondition {
  private TruncatedCondition() {}

  /** The condition as the status has it; it stays true while no list is written. */
  public static Stream<Condition> in(EphemeralRunnerSetStatus status) {
    return StatusConditions.find(status.conditions(), ConditionType.CHILD_REFERENCES_TRUNCATED)
        .stream();
  }

  /** The wanted condition; empty if no child is left out. */
  static Optional<Condition> of(
      List<Condition> before,
      int referencesLeftOut,
      int statusesLeftOut,
      long generation,
      Instant now) {
    if (referencesLeftOut == 0 && statusesLeftOut == 0) {
      return Optional.empty();
    }
    return Optional.of(
        StatusConditions.build(
            before,
            ConditionType.CHILD_REFERENCES_TRUNCATED,
            Value.TRUE,
            EphemeralRunnerSetReason.TOO_MANY_RUNNERS,
            message(referencesLeftOut, statusesLeftOut),
            generation,
            now));
  }

  private static String message(int references, int statuses) {
    var words = new StringBuilder();
    if (references > 0) {
      words.append(
          "status.childReferences leaves out %d runners (it names %d at most); "
              .formatted(references, ChildReferences.MOST));
    }
    if (statuses > 0) {
      words.append(
          "status.runnerStatuses leaves out %d runners (it holds %d KiB at most); "
              .formatted(statuses, FullForm.MOST_BYTES / 1024));
    }
    return words.append("all of them have the label runnerset.dev/set").toString();
  }
}
