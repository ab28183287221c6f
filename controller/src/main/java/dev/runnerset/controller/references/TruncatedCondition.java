package dev.runnerset.controller.references;

import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.LastTransition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The condition that tells how many children found no room in their parent's status. Pure. */
public final class TruncatedCondition {
  /** Its type. */
  public static final String TYPE = "ChildReferencesTruncated";

  private TruncatedCondition() {}

  /** The condition as the status has it: it goes on describing a list that is not written now. */
  public static Stream<Condition> in(EphemeralRunnerSetStatus status) {
    return status.conditions().stream().filter(c -> TYPE.equals(c.getType())).limit(1);
  }

  /** The condition as it is to be. */
  static Condition of(
      List<Condition> before,
      int referencesLeftOut,
      int statusesLeftOut,
      long generation,
      Instant now) {
    boolean truncated = referencesLeftOut > 0 || statusesLeftOut > 0;
    var status = truncated ? "True" : "False";
    return new ConditionBuilder()
        .withType(TYPE)
        .withStatus(status)
        .withReason(truncated ? "TooManyRunners" : "Complete")
        .withMessage(truncated ? message(referencesLeftOut, statusesLeftOut) : "")
        .withObservedGeneration(generation)
        .withLastTransitionTime(LastTransition.of(before, TYPE, status, now))
        .build();
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
    return words.append("all of them bear the label runnerset.dev/set").toString();
  }
}
